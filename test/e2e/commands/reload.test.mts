/** `npm run dev`: a changed source is built, and the running n8n shows the change without a restart. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInAsOwner } from '../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import { HOT_RELOAD, startWatching } from '../../../tools/start/watch.mts';
import { copyForChanges } from '../support/build-copy.mts';
import { Cleanup } from '../../support/cleanup.mts';
import { copyPreparedFolder } from '../../support/n8n/prepared-folder.mts';
import { until } from '../../support/until.mts';
import { PREPARATION_TIME } from '../../support/n8n/workspace.mts';

const NODE = 'n8n-nodes-wallet-service.walletService';

const cleanup = new Cleanup();
afterAll(async () => await cleanup.run());

/** A copy of what the node is built from: the tests beside this one use the sources themselves. */
async function copyProject(): Promise<string> {
	const project = await mkdtemp(join(tmpdir(), 'wallet-service-project-'));
	await cleanup.add(() => rm(project, { recursive: true, force: true }));
	await copyForChanges(project);
	return project;
}

test(
	'a new description is what n8n shows',
	async () => {
		const userFolder = await mkdtemp(join(tmpdir(), 'wallet-service-n8n-'));
		await cleanup.add(() => rm(userFolder, { recursive: true, force: true }));
		await copyPreparedFolder(userFolder);
		const project = await copyProject();
		const n8n = await startN8n(userFolder, 0, HOT_RELOAD);
		await cleanup.add(() => n8n.stop());
		const client = await signInAsOwner(n8n.url);
		const before = await client.nodeDescription(NODE);
		const watching = await startWatching(userFolder, project);
		await cleanup.add(() => watching.stop());

		const file = join(project, 'nodes', 'WalletService', 'WalletService.node.ts');
		const source = await readFile(file, 'utf8');
		await writeFile(file, source.replace(`'${String(before.description)}'`, "'Changed'"));
		const shown = until(async () => (await client.nodeDescription(NODE)).description === 'Changed');
		const ended = watching.ended.then((reason) => {
			throw new Error(`gulp ${reason}`);
		});
		await Promise.race([shown, ended]);
		const { displayName, version, credentials } = before;
		expect(await client.nodeDescription(NODE)).toMatchObject({ displayName, version, credentials });
	},
	PREPARATION_TIME,
);
