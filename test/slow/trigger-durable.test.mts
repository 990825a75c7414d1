/** The trigger under n8n's durable scheduler, which starts every poll from n8n's saved state. */
import { cp } from 'node:fs/promises';
import type { JsonObject } from '../../tools/files/json.mts';
import { importWorkflows } from '../../tools/n8n/cli.mts';
import { signInAsOwner, type N8nRestClient } from '../../tools/n8n/rest-client.mts';
import { startN8n } from '../../tools/n8n/server.mts';
import { useResources } from '../support/resources.mts';
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { publish } from '../support/n8n/published.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { triggerWorkflow } from '../support/n8n/trigger-workflow.mts';
import { until } from '../support/until.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../support/n8n/workspace.mts';
import { userPath, type Service, type Username } from '../support/sandbox/service.mts';

/** Settings that switch the scheduler on. */
const DURABLE_SCHEDULER = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	// Seconds between the scheduler's checks for due polls: the default would only make the tests longer.
	N8N_SCHEDULER_MATERIALIZATION_INTERVAL: '1',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	// Seconds after which the scheduler drops a poll.
	N8N_SCHEDULER_POLL_TIMEOUT: '10',
};

/** Seconds from one poll to the next: the scheduler is slower than n8n's own clock, especially on a busy machine. */
const INTERVAL = 2;

/** The places where n8n can keep the state, their settings, and how many executions without items save it. */
const MODES: { keeper: string; settings: Record<string, string>; saving: number }[] = [
	{ keeper: 'static data', settings: {}, saving: 1 },
	{ keeper: 'a cursor', settings: { N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }, saving: 2 },
];

const MINT = 'mint(address,uint256)';
const TRANSFER = 'transfer(address,uint256)';

const resources = useResources();
let workspace: Workspace;
let collector: Collector;

const user: Service['user'] = (name) => workspace.service.user(name);

const historyOf = (username: Username): string => userPath(user(username), '/history');

const receive = async (name: Username, amount: string): Promise<string> =>
	await workspace.service.submit(name, 'usd', MINT, [user(name).address, amount]);

const spend = async (name: Username, amount: string): Promise<string> =>
	await workspace.service.submit(name, 'usd', TRANSFER, [user('Nelly').address, amount]);

/** Waits until this many more polls have begun: each begins when the previous one has ended. */
async function untilPolled(path: string, count: number): Promise<void> {
	const polls = async () => await workspace.service.faults.requestsFor(path);
	const before = await polls();
	await until(async () => (await polls()) >= before + count);
}

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	collector = await resources.use(startCollector());
	const { service, userFolder } = workspace;
	const watched: Record<string, JsonObject> = {
		low: {
			...{ event: 'balanceCrossedThreshold', userIds: user('newcomer').id, asset: 'token' },
			...{ token: service.contracts.usd, threshold: '0.001' },
		},
		slow: { event: 'newTransfer', userIds: user('anna-k').id },
		two: { event: 'newTransfer', userIds: [user('Rahul Sen').id, user('mika_dev').id].join('\n') },
	};
	await importWorkflows(
		userFolder,
		Object.entries(watched).map(([id, parameters]) =>
			triggerWorkflow(id, 'sandboxUser0001', parameters, `${collector.url}/${id}`, INTERVAL),
		),
	);
	await receive('newcomer', '1000');
}, PREPARATION_TIME);

describe.each(MODES)('with the state in $keeper', ({ settings, saving }) => {
	const own = useResources();
	let client: N8nRestClient;
	/** Number of earlier arrivals, by path. */
	let earlier: Map<string, number>;

	const collected = (path: string) => collector.at(path).slice(earlier.get(path));
	const untilCollected = async (path: string, count: number): Promise<void> =>
		await collector.until(path, (earlier.get(path) ?? 0) + count);
	const hashesAt = (path: string): unknown[] => collected(path).map(({ hash }) => hash);

	beforeAll(async () => {
		const paths = ['/low', '/slow', '/two'];
		earlier = new Map(paths.map((path) => [path, collector.at(path).length]));
		const { path: folder } = await own.use(temporaryFolder('n8n'));
		await cp(workspace.userFolder, folder, { recursive: true });
		const n8n = await own.use(startN8n(folder, 0, { ...DURABLE_SCHEDULER, ...settings }));
		client = await signInAsOwner(n8n.url);
	}, PREPARATION_TIME);
	afterEach(async () => await workspace.service.faults.reset());

	test('each crossing of a threshold starts the workflow, and nothing else does', async () => {
		const path = userPath(user('newcomer'), `/balance/${workspace.service.contracts.usd}`);
		await publish(client, 'low');
		await spend('newcomer', '1');
		await untilCollected('/low', 1);
		await receive('newcomer', '1');
		await untilPolled(path, 2);
		await spend('newcomer', '2');
		await untilCollected('/low', 2);
		await untilPolled(path, 2);
		expect(collected('/low').map(({ baseUnits, crossed }) => [baseUnits, crossed])).toEqual([
			['999', 'below'],
			['998', 'below'],
		]);
		expect(await client.executionStatuses('low')).toEqual(Array(2 + saving).fill('success'));
		await receive('newcomer', '2');
	});

	test('polls that take longer than their interval deliver nothing twice', async () => {
		await publish(client, 'slow');
		const slow = { params: { ms: INTERVAL * 1500 }, times: null };
		await workspace.service.faults.hit('latency', historyOf('anna-k'), slow);
		const hashes = [await receive('anna-k', '1'), await receive('anna-k', '2')];
		await untilCollected('/slow', 2);
		await workspace.service.faults.clear();
		await untilPolled(historyOf('anna-k'), 3);
		expect(hashesAt('/slow')).toEqual(hashes);
	});

	test('a wallet that does not answer does not make n8n drop the transfers of the others', async () => {
		await publish(client, 'two');
		await workspace.service.faults.hit('hang', historyOf('Rahul Sen'), { times: null });
		const hash = await receive('mika_dev', '3');
		await untilCollected('/two', 1);
		expect(hashesAt('/two')).toEqual([hash]);
	});
});
