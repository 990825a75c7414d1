import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import type { LoggedProcess } from '../../../tools/process/running-process.mts';
import { importWorkflows } from '../../../tools/n8n/cli.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import { startN8n, startN8nWorker, type N8nServer } from '../../../tools/n8n/server.mts';
import type { Resources } from '../../support/resources.mts';
import { copyPreparedFolder } from '../../support/n8n/prepared-folder.mts';
import { Service } from '../../support/sandbox/service.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { startPostgres, startRedis } from './servers.mts';

/** n8n in queue mode with a sandbox: each process has its own folder, as on separate machines. */
export interface Cluster {
	main: N8nServer;
	workers: LoggedProcess[];
	service: Service;
}

/** Creates a folder with the packed node and these settings. */
async function n8nFolder(resources: Resources, settings: Record<string, string>): Promise<string> {
	const { path: folder } = await resources.use(temporaryFolder('n8n'));
	await copyPreparedFolder(folder);
	// This file holds the key of the prepared database; the processes share the key in the settings instead.
	await rm(join(folder, '.n8n', 'config'));
	const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
	// n8n reads this file from its working directory.
	await writeFile(join(folder, '.env'), lines.join('\n'));
	return folder;
}

/**
 * Starts Redis, PostgreSQL, a sandbox, one main process and the workers.
 *
 * @param resources - Take over all started processes and folders.
 * @param settings - n8n's settings, the same for every process.
 * @param workflows - Workflows imported before n8n starts.
 */
export async function startCluster(
	resources: Resources,
	settings: Record<string, string>,
	workerCount: number,
	workflows: (sandbox: SandboxReady) => object[],
): Promise<Cluster> {
	const shared = {
		...settings,
		...(await startRedis(resources)),
		...(await startPostgres(resources)),
		N8N_ENCRYPTION_KEY: randomUUID(),
	};
	const service = await resources.use(Service.start());
	const folders: string[] = [];
	for (let made = 0; made <= workerCount; made++) {
		folders.push(await n8nFolder(resources, shared));
	}
	const [mainFolder = '', ...workerFolders] = folders;
	await importSandboxCredentials(mainFolder, service.ready);
	await importWorkflows(mainFolder, workflows(service.ready));
	const main = await resources.use(startN8n(mainFolder));
	const workers = await Promise.all(
		workerFolders.map(async (folder) => await resources.use(startN8nWorker(folder))),
	);
	return { main, workers, service };
}
