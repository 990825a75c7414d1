import { randomUUID } from 'node:crypto';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoggedProcess } from '../../../tools/process/running-process.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import { signInAsOwner } from '../../../tools/n8n/owner.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n, startN8nWorker } from '../../../tools/n8n/server.mts';
import { Executions } from '../../support/n8n/executions.mts';
import { copyPreparedFolder } from '../../support/n8n/prepared-folder.mts';
import { limitedCredential, WITHOUT_EDITOR } from '../../support/n8n/workspace.mts';
import { useResources, type Resources } from '../../support/resources.mts';
import { Service } from '../../support/sandbox/service.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { startPostgres, startRedis } from '../../support/servers.mts';
import { recommendedSettings } from './recommended-settings.mts';

const WORKERS = 2;
/** ID of the credential of the first user at the service that keeps writes. */
export const KEPT = 'keptWrites0001';

/**
 * Settings of a worker that is killed: a minute after its last sign of life, n8n drops the data of its executions, and a busy
 * machine needs longer.
 */
export const LONG_LOCK = { QUEUE_WORKER_LOCK_DURATION: '3600000' };

/** n8n in queue mode with a sandbox: each process has its own folder, as on separate machines. */
export interface Cluster {
	/** Everything that ends with it. */
	readonly resources: Resources;
	/** By the number of their folder, also those that have ended. */
	workers: readonly LoggedProcess[];
	readonly service: Service;
	/** A service that keeps writes, with the credential {@link KEPT}. */
	readonly kept: Service;
	/** URL of the main process. */
	readonly url: string;
	/** Its REST API. */
	readonly client: N8nRestClient;
	readonly executions: Executions;
}

/** Settings as lines of a file, of which the last one counts. */
const linesOf = (settings: Record<string, string>): string =>
	Object.entries(settings)
		.map(([name, value]) => `${name}=${value}\n`)
		.join('');

/** Creates a folder with the packed node and these settings. */
async function n8nFolder(settings: Record<string, string>): Promise<string> {
	const { path: folder } = await resources.use(temporaryFolder('n8n'));
	await copyPreparedFolder(folder);
	// This file holds the key of the prepared database; the processes share the key in the settings instead.
	await rm(join(folder, '.n8n', 'config'));
	// n8n reads this file from its working directory.
	await writeFile(join(folder, '.env'), linesOf(settings));
	return folder;
}

const resources = useResources();

/** The cluster of all parts of `cluster.test.mts`. Filled in before the tests. */
export const cluster = { resources } as Cluster;

/**
 * Starts a worker in the folder of an earlier one, which ends unless it has: what that one was running, n8n shows as crashed.
 *
 * @param settings - Settings of this folder from now on.
 */
export async function startAgain(
	number: number,
	settings: Record<string, string> = {},
): Promise<LoggedProcess> {
	const before = cluster.workers[number];
	if (before === undefined) throw new Error(`There is no worker ${number}`);
	await before.stop();
	const folder = dirname(before.logFile);
	await appendFile(join(folder, '.env'), linesOf(settings));
	const worker = await resources.use(startN8nWorker(folder));
	cluster.workers = cluster.workers.with(number, worker);
	return worker;
}

beforeAll(async () => {
	const settings = {
		...(await recommendedSettings()),
		...(await startRedis(resources)),
		...(await startPostgres(resources)),
		N8N_ENCRYPTION_KEY: randomUUID(),
	};
	const service = await resources.use(Service.start());
	const kept = await resources.use(Service.start({ SANDBOX_WRITE_KEYS: '1' }));
	const mainFolder = await n8nFolder(settings);
	const others = [limitedCredential(kept, KEPT, {})];
	await importSandboxCredentials(mainFolder, service.ready, others);
	const main = await resources.use(startN8n(mainFolder, 0, WITHOUT_EDITOR));
	const folders = await Promise.all(Array.from({ length: WORKERS }, () => n8nFolder(settings)));
	const workers = await Promise.all(
		folders.map(async (folder) => await resources.use(startN8nWorker(folder))),
	);
	const client = await signInAsOwner(main);
	const { url } = main;
	const executions = await Executions.of(url, client);
	Object.assign(cluster, { workers, service, kept, url, client, executions });
});
afterEach(async () => {
	await cluster.service.faults.reset();
	await cluster.kept.faults.reset();
});
