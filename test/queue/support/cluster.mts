import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { startSandbox } from '../../../sandbox/src/spawn.mts';
import type { LoggedProcess } from '../../../tools/process/running-process.mts';
import { importWorkflows } from '../../../tools/n8n/cli.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import type { InstalledN8n } from '../../../tools/n8n/program.mts';
import { assignN8n, lockedN8n } from '../../../tools/n8n/program.mts';
import type { N8nServer } from '../../../tools/n8n/server.mts';
import { startN8n, startN8nWorker } from '../../../tools/n8n/server.mts';
import type { Cleanup } from '../../support/cleanup.mts';
import { copyPreparedFolder } from '../../support/n8n/prepared-folder.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { startPostgres } from './postgres.mts';
import { startRedis } from './redis.mts';

/** n8n in queue mode over a sandbox: each process has a folder of its own, as on machines of their own. */
export interface Cluster {
	main: N8nServer;
	workers: LoggedProcess[];
	sandbox: SandboxReady;
}

/** A folder with the packed node and these settings. */
async function n8nFolder(
	cleanup: Cleanup,
	settings: Record<string, string>,
	n8n: InstalledN8n,
): Promise<string> {
	const folder = await temporaryFolder(cleanup, 'n8n');
	await copyPreparedFolder(folder);
	// Holds a key of its own, that the database of the prepared folder was encrypted with.
	await rm(join(folder, '.n8n', 'config'));
	if (n8n !== lockedN8n) await assignN8n(folder, n8n);
	const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
	// n8n reads this file in the folder it is started from.
	await writeFile(join(folder, '.env'), lines.join('\n'));
	return folder;
}

/**
 * Starts Redis, PostgreSQL, a sandbox, one main process and the workers.
 *
 * @param cleanup - Stops everything and removes its folders.
 * @param settings - n8n's settings, the same for every process.
 * @param workflows - Imported before n8n starts.
 * @param n8n - Another n8n than the one that the lockfile pins.
 */
export async function startCluster(
	cleanup: Cleanup,
	settings: Record<string, string>,
	workerCount: number,
	workflows: (sandbox: SandboxReady) => object[],
	n8n: InstalledN8n = lockedN8n,
): Promise<Cluster> {
	const shared = {
		...settings,
		...(await startRedis(cleanup)),
		...(await startPostgres(cleanup)),
		N8N_ENCRYPTION_KEY: randomUUID(),
	};
	const running = await startSandbox({ env: { SANDBOX_FAULTS: '1' } });
	await cleanup.add(() => running.stop());
	const sandbox = running.ready;
	const folders: string[] = [];
	for (let made = 0; made <= workerCount; made++) {
		folders.push(await n8nFolder(cleanup, shared, n8n));
	}
	const [mainFolder = '', ...workerFolders] = folders;
	await importSandboxCredentials(mainFolder, sandbox);
	await importWorkflows(mainFolder, workflows(sandbox));
	const main = await startN8n(mainFolder);
	await cleanup.add(() => main.stop());
	const workers = await Promise.all(
		workerFolders.map(async (folder) => {
			const worker = await startN8nWorker(folder);
			await cleanup.add(() => worker.stop());
			return worker;
		}),
	);
	return { main, workers, sandbox };
}
