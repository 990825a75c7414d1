import { signInAsOwner, type N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../../tools/n8n/server.mts';
import { useResources, type Resources } from '../resources.mts';
import type { Service, Username } from '../sandbox/service.mts';
import { Executions } from './executions.mts';
import { publishNew } from './published.mts';
import type { Credentials, Workspace } from './workspace.mts';
import { createWorkspace, PREPARATION_TIME } from './workspace.mts';

interface Setup {
	/** Settings of the service. */
	env?: Record<string, string>;
	/** Additional credentials. */
	credentials?: (service: Service) => Credentials | Promise<Credentials>;
	/** Further preparation before n8n starts, such as importing workflows. */
	before?: (workspace: Workspace, resources: Resources) => Promise<unknown>;
	/** Settings of n8n. */
	settings?: Record<string, string>;
	/** Workflows to create and publish; a workflow called by others must precede them. */
	workflows?: (service: Service) => object[];
}

/**
 * Starts n8n on a workspace before the tests of a file and stops it after them; faults of the service end with each test.
 *
 * @returns n8n and the service, for use inside a test.
 */
export function useN8n({ env, credentials, before, settings, workflows }: Setup = {}) {
	const resources = useResources();
	let workspace: Workspace;
	let server: N8nServer;
	let client: N8nRestClient;
	let executions: Executions;

	/** Starts n8n again, after it has ended. */
	async function start(): Promise<void> {
		server = await resources.use(startN8n(workspace.userFolder, 0, settings));
		client = await signInAsOwner(server.url);
		executions = await Executions.of(server.url, client);
	}

	beforeAll(async () => {
		workspace = await createWorkspace(resources, env, credentials);
		await before?.(workspace, resources);
		await start();
		await publishNew(client, workflows?.(workspace.service) ?? []);
	}, PREPARATION_TIME);
	afterEach(async () => await workspace.service.faults.reset());

	const user = (name?: Username) => workspace.service.user(name);
	return {
		...{ resources, start, user },
		/** Kills n8n, so that it has no chance to end anything properly. */
		async kill(): Promise<void> {
			process.kill(server.pid, 'SIGKILL');
			await server.ended;
		},
		/** Number of transactions of the first user. */
		sent: async (): Promise<number> =>
			await workspace.service.chain.getTransactionCount(user().address),
		/** Transfers from and to the first user, newest first. */
		history: async () => await workspace.service.chain.history(user().address),
		get service() {
			return workspace.service;
		},
		get contracts() {
			return workspace.service.contracts;
		},
		get chain() {
			return workspace.service.chain;
		},
		get faults() {
			return workspace.service.faults;
		},
		get userFolder() {
			return workspace.userFolder;
		},
		get server() {
			return server;
		},
		get url() {
			return server.url;
		},
		get client() {
			return client;
		},
		get executions() {
			return executions;
		},
	};
}
