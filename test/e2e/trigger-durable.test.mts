/** The trigger under n8n's durable scheduler, which makes every poll anew from what n8n has saved. */
import axios from 'axios';
import { importWorkflows } from '../../workbench/src/n8n/cli.mts';
import { signInAsOwner, type N8nRestClient } from '../../workbench/src/n8n/rest-client.mts';
import { startN8n } from '../../workbench/src/n8n/server.mts';
import { Cleanup } from './support/cleanup.mts';
import { startCollector, type Collector } from './support/collector.mts';
import { publish } from './support/published.mts';
import { triggerWorkflow } from './support/trigger-workflow.mts';
import { until } from './support/until.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from './support/workspace.mts';

const CREDENTIAL = 'sandboxUser0001';

const DURABLE_SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// Seconds: how often it looks for what is due. Its own defaults would only make the tests longer.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
};

const MODES: [string, Record<string, string>][] = [
	['with the state in the static data', {}],
	['with durable cursors', { N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }],
];

describe.each(MODES)('%s', (_name, settings) => {
	const cleanup = new Cleanup();
	let workspace: Workspace;
	let collector: Collector;
	let client: N8nRestClient;

	const user = (index: number) => {
		const found = workspace.sandbox.users[index];
		if (found === undefined) throw new Error(`No user ${index}`);
		return found;
	};

	async function write(userIndex: number, abi: string, args: string[]): Promise<string> {
		const { data } = await axios.post<{ hash: string }>(
			`${workspace.sandbox.baseUrl}/v1/contracts/method/write`,
			{ address: workspace.sandbox.contracts.usd, abi, args },
			{ headers: { Authorization: `Bearer ${user(userIndex).accessToken}` } },
		);
		return data.hash;
	}

	const receive = async (userIndex: number, amount: string): Promise<string> =>
		await write(userIndex, 'mint(address,uint256)', [user(userIndex).address, amount]);

	const spend = async (userIndex: number, amount: string): Promise<string> =>
		await write(userIndex, 'transfer(address,uint256)', [user(0).address, amount]);

	async function polls(path: string): Promise<number> {
		const { data } = await axios.get<{ path: string }[]>(
			`${workspace.sandbox.baseUrl}/faults/requests`,
		);
		return data.filter((request) => request.path.endsWith(path)).length;
	}

	/** Waits until so many polls have begun from now on: all but the last are over. */
	async function untilPolled(path: string, count: number): Promise<void> {
		const before = await polls(path);
		await until(async () => (await polls(path)) >= before + count);
	}

	beforeAll(async () => {
		workspace = await createWorkspace(cleanup, { SANDBOX_FAULTS: '1' });
		collector = await startCollector();
		await cleanup.add(() => collector.stop());
		const { sandbox, userFolder } = workspace;
		const low = {
			event: 'balanceCrossedThreshold',
			userIds: user(5).id,
			asset: 'token',
			contractAddress: sandbox.contracts.usd,
			threshold: '1000',
		};
		const slow = { event: 'newTransfer', userIds: user(4).id };
		await importWorkflows(userFolder, [
			triggerWorkflow('low', CREDENTIAL, low, `${collector.url}/low`),
			triggerWorkflow('slow', CREDENTIAL, slow, `${collector.url}/slow`),
		]);
		const n8n = await startN8n(userFolder, 0, { ...DURABLE_SCHEDULER, ...settings });
		await cleanup.add(() => n8n.stop());
		client = await signInAsOwner(n8n.url);
	}, PREPARATION_TIME);
	afterAll(async () => await cleanup.run());

	test('a threshold is told each time it is crossed', async () => {
		const path = `/balance/${workspace.sandbox.contracts.usd}`;
		await receive(5, '1000');
		await publish(client, 'low');
		await spend(5, '1');
		await collector.until('/low', 1);
		await receive(5, '1');
		await untilPolled(path, 3);
		await spend(5, '2');
		await collector.until('/low', 2);
		await untilPolled(path, 3);
		expect(collector.at('/low').map(({ current, crossed }) => [current, crossed])).toEqual([
			['999', 'below'],
			['998', 'below'],
		]);
		console.log(await client.executionStatuses('low'));
	});

	test('a poll that takes longer than the time to the next one gives nothing twice', async () => {
		const path = `/${encodeURIComponent(user(4).id)}/history`;
		await publish(client, 'slow');
		await untilPolled(path, 2);
		await axios.post(`${workspace.sandbox.baseUrl}/faults`, {
			kind: 'latency',
			params: { ms: 2500 },
			match: { path: `.*${path}` },
		});
		const hashes = [await receive(4, '1'), await receive(4, '2')];
		await collector.until('/slow', 2);
		await axios.delete(`${workspace.sandbox.baseUrl}/faults`);
		await untilPolled(path, 4);
		expect(collector.at('/slow').map(({ hash }) => hash)).toEqual(hashes);
	});
});
