import { signInAsOwner } from '../../../tools/n8n/owner.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../../tools/n8n/server.mts';
import { useResources } from '../resources.mts';
import type { Service } from '../sandbox/service.mts';
import { Executions } from './executions.mts';
import type { Workspace, WorkspaceSetup } from './workspace.mts';
import { createWorkspace, WITHOUT_EDITOR } from './workspace.mts';

interface Setup extends WorkspaceSetup {
	/** Settings of n8n, which has no editor by default. */
	settings?: Record<string, string>;
}

/** A running n8n, and the service that its workflows use. */
interface RunningN8n extends Workspace, Pick<Service, 'chain' | 'contracts' | 'faults' | 'user'> {
	readonly server: N8nServer;
	readonly url: string;
	readonly client: N8nRestClient;
	readonly executions: Executions;
}

/** Starts n8n on a workspace before the tests of a file, stops it after them, and removes all faults after each test. */
export function useN8n({ settings, ...setup }: Setup = {}) {
	const resources = useResources();
	/** Filled in before the tests. */
	const n8n = {} as RunningN8n;

	/** Starts n8n again, after it has ended. */
	async function start(): Promise<void> {
		const server = await resources.use(
			startN8n(n8n.userFolder, 0, { ...WITHOUT_EDITOR, ...settings }),
		);
		const { url } = server;
		const client = await signInAsOwner(server);
		Object.assign(n8n, { server, url, client, executions: await Executions.of(url, client) });
	}

	beforeAll(async () => {
		const workspace = await createWorkspace(resources, setup);
		const { chain, contracts, faults, user } = workspace.service;
		Object.assign(n8n, { ...workspace, chain, contracts, faults, user });
		await start();
	});
	afterEach(async () => await n8n.faults.reset());

	return Object.assign(n8n, {
		resources,
		start,
		/** Kills n8n, so that it has no chance to end anything properly. */
		async kill(): Promise<void> {
			process.kill(n8n.server.pid, 'SIGKILL');
			await n8n.server.ended;
		},
		/** Number of transactions of the first user. */
		sent: async () => await n8n.chain.getTransactionCount(n8n.user().address),
		/** Transfers from and to the first user, newest first. */
		history: async () => await n8n.chain.history(n8n.user().address),
	});
}
