/** `npm run dev`: a changed source is built, and the running n8n shows the change without a restart. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAxiosError } from 'axios';
import { signInAsOwner } from '../../../tools/n8n/owner.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import { HOT_RELOAD, startWatching } from '../../../tools/start/watch.mts';
import { copyForChanges } from '../../support/build-copy.mts';
import { copyPreparedFolder } from '../../support/n8n/prepared-folder.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { until } from '../../support/until.mts';

const NODE = 'n8n-nodes-wallet-service.walletService';

test('n8n shows a new description', async () => {
	await using folder = await temporaryFolder('n8n');
	const userFolder = folder.path;
	await copyPreparedFolder(userFolder);
	// A copy of the node's sources: other tests running at the same time use the originals.
	await using copy = await temporaryFolder('project');
	const project = copy.path;
	await copyForChanges(project);
	await using n8n = await startN8n(userFolder, 0, HOT_RELOAD);
	const client = await signInAsOwner(n8n);
	const before = await client.nodeDescription(NODE);
	await using watching = await startWatching(userFolder, project);

	const file = join(project, 'nodes', 'WalletService', 'WalletService.node.ts');
	const source = await readFile(file, 'utf8');
	await writeFile(file, source.replace(`'${String(before.description)}'`, "'Changed'"));
	const shown = until(async () => {
		try {
			return (await client.nodeDescription(NODE)).description === 'Changed';
		} catch (error) {
			// Between unloading and loading, n8n does not know the node.
			if (isAxiosError(error) && error.response?.status === 400) return false;
			throw error;
		}
	});
	const ended = watching.ended.then((reason) => {
		throw new Error(`gulp ${reason}`);
	});
	await Promise.race([shown, ended]);
	const { displayName, version, credentials } = before;
	expect(await client.nodeDescription(NODE)).toMatchObject({ displayName, version, credentials });
});
