/** The trigger under n8n's durable scheduler, which starts every poll from n8n's saved state. */
import type { JsonObject } from '../../tools/files/json.mts';
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { publish } from '../support/n8n/published.mts';
import { triggerWorkflow } from '../support/n8n/trigger-workflow.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import { userPath, type Username } from '../support/sandbox/service.mts';

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

/** The places where n8n can keep the state, their settings, and the number of executions without items that save it. */
const MODES: { keeper: string; settings: Record<string, string>; saving: number }[] = [
	{ keeper: 'static data', settings: {}, saving: 1 },
	{ keeper: 'a cursor', settings: { N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true' }, saving: 2 },
];

const MINT = 'mint(address,uint256)';
const TRANSFER = 'transfer(address,uint256)';

describe.each(MODES)('with the state in $keeper', ({ settings, saving }) => {
	let collector: Collector;

	const n8n = useN8n({ settings: { ...DURABLE_SCHEDULER, ...settings } });

	beforeAll(async () => {
		collector = await n8n.resources.use(startCollector());
		const ids = (...names: Username[]) => names.map((name) => n8n.user(name).id).join('\n');
		const watched: Record<string, JsonObject> = {
			low: {
				event: 'balanceCrossedThreshold',
				userIds: ids('newcomer'),
				asset: 'token',
				token: n8n.contracts.usd,
				threshold: '0.001',
			},
			slow: { event: 'newTransfer', userIds: ids('anna-k') },
			two: { event: 'newTransfer', userIds: ids('Rahul Sen', 'mika_dev') },
		};
		for (const [id, parameters] of Object.entries(watched)) {
			const given = ['sandboxUser0001', parameters, collector.url, INTERVAL] as const;
			await n8n.client.createWorkflow(triggerWorkflow(id, ...given));
		}
		await receive('newcomer', '1000');
	});

	const historyOf = (username: Username): string => userPath(n8n.user(username), '/history');

	const receive = async (name: Username, amount: string): Promise<string> =>
		await n8n.service.submit(name, 'usd', MINT, [n8n.user(name).address, amount]);

	const spend = async (name: Username, amount: string): Promise<string> =>
		await n8n.service.submit(name, 'usd', TRANSFER, [n8n.user('Nelly').address, amount]);

	const hashesAt = (path: string): unknown[] => collector.at(path).map(({ hash }) => hash);

	test('each crossing of a threshold starts the workflow, and nothing else does', async () => {
		const path = userPath(n8n.user('newcomer'), `/balance/${n8n.contracts.usd}`);
		await publish(n8n.client, 'low');
		await spend('newcomer', '1');
		await collector.until('/low', 1);
		await receive('newcomer', '1');
		await n8n.faults.untilRequested(path, 2);
		await spend('newcomer', '2');
		await collector.until('/low', 2);
		await n8n.faults.untilRequested(path, 2);
		expect(collector.at('/low').map(({ baseUnits, crossed }) => [baseUnits, crossed])).toEqual([
			['999', 'below'],
			['998', 'below'],
		]);
		const statuses = (await n8n.executions.ended('low')).map(({ status }) => status);
		expect(statuses).toEqual(Array(2 + saving).fill('success'));
		expect(await n8n.executions.underWay('low')).toEqual([]);
	});

	test('polls that take longer than their interval deliver nothing twice', async () => {
		await publish(n8n.client, 'slow');
		const slow = { params: { ms: INTERVAL * 1500 }, times: null };
		await n8n.faults.hit('latency', historyOf('anna-k'), slow);
		const hashes = [await receive('anna-k', '1'), await receive('anna-k', '2')];
		await collector.until('/slow', 2);
		await n8n.faults.clear();
		await n8n.faults.untilRequested(historyOf('anna-k'), 3);
		expect(hashesAt('/slow')).toEqual(hashes);
	});

	test('a wallet that does not answer does not make n8n drop the transfers of the others', async () => {
		await publish(n8n.client, 'two');
		await n8n.faults.hit('hang', historyOf('Rahul Sen'), { times: null });
		const hash = await receive('mika_dev', '3');
		await collector.until('/two', 1);
		expect(hashesAt('/two')).toEqual([hash]);
	});
});
