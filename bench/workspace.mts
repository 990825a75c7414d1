import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithParent } from '../tools/files/paths.mts';
import { startLoggedProcess, type LoggedProcess } from '../tools/process/running-process.mts';
import { importAtStart } from '../tools/n8n/imports.mts';
import { packPackage, unpackIntoN8n, type PackedPackage } from '../tools/n8n/package.mts';
import { importNow } from '../tools/n8n/server.mts';
import { SERVICE_TOKEN } from './calls.mts';
import { BEARER_CREDENTIAL, serviceCredential } from './measured-nodes.mts';
import { benchmarkWorkflow, type WorkflowPlan } from './workflows.mts';

/** An n8n folder with the packed node and the workflows, and their stub server. */
export interface BenchmarkWorkspace {
	userFolder: string;
	/** The package as published, installed in n8n. */
	packed: PackedPackage;
	stubUrl: string;
	/** Imports a workflow for each plan, and the credentials. */
	addWorkflows(plans: readonly WorkflowPlan[]): Promise<void>;
	/** Stops the stub server and removes the folder. */
	remove(): Promise<void>;
}

/** Starts the stub server, which prints its address once it listens. */
async function startStub(directory: string): Promise<LoggedProcess> {
	const program = join(import.meta.dirname, 'stub-server.mts');
	return await startLoggedProcess(process.execPath, ['--require', endWithParent, program], {
		logFile: join(directory, 'stub-server.log'),
		readyText: 'http://',
	});
}

/**
 * Prepares n8n and the stub server.
 *
 * @param services - Services of the stub server, by name or delay. Each gets its own credential, because base URLs differ.
 */
export async function createBenchmarkWorkspace(
	services: readonly (string | number)[],
): Promise<BenchmarkWorkspace> {
	const userFolder = await mkdtemp(join(tmpdir(), 'wallet-service-bench-'));
	const removeFolder = () => rmSync(userFolder, { recursive: true, force: true });
	process.once('exit', removeFolder);
	const packed = await packPackage(userFolder);
	const stub = await startStub(userFolder);
	const stubUrl = stub.readyLine;
	const remove = async () => {
		await stub.stop();
		removeFolder();
	};
	try {
		await unpackIntoN8n(userFolder, packed);
		const walletCredentials = services.map((service) => ({
			id: serviceCredential(service),
			name: serviceCredential(service),
			type: 'walletServiceApi',
			data: { baseUrl: `${stubUrl}/${service}`, accessToken: SERVICE_TOKEN, userId: '' },
		}));
		const bearer = {
			id: BEARER_CREDENTIAL,
			name: BEARER_CREDENTIAL,
			type: 'httpBearerAuth',
			data: { token: SERVICE_TOKEN },
		};
		await importAtStart(userFolder, 'credentials', [...walletCredentials, bearer]);
	} catch (error) {
		await remove();
		throw error;
	}
	return {
		userFolder,
		packed,
		stubUrl,
		addWorkflows: async (plans) => {
			await importAtStart(userFolder, 'workflow', plans.map(benchmarkWorkflow));
			await importNow(userFolder);
		},
		remove,
	};
}
