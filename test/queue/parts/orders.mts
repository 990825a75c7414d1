/** The same order on two workers: it is paid once where the service keeps writes, also at the same moment. */
import { AS_GIVEN, mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	chainedWorkflow,
	contractCall,
	itemsPosted,
	walletNode,
	webhook,
} from '../../support/n8n/workflow.mts';
import { startsOfEach } from '../support/account.mts';
import { cluster, KEPT } from '../support/cluster.mts';

/** Requests of each order at the same moment. */
const REQUESTS = 10;
const ORDERS = 5;

beforeAll(async () => {
	const { gold } = cluster.kept.contracts;
	const call = contractCall('write', gold, 'mint(address to, uint256 amount)', AS_GIVEN);
	const mint = walletNode('Mint', KEPT, { ...call, orderId: '={{ $json.order }}' });
	await publishNew(cluster.client, [
		chainedWorkflow('keptOrders', [webhook('keptOrders'), itemsPosted, mint]),
	]);
});

test('orders that arrive many times at once are paid once each, and every answer has the hash of the payment', async () => {
	const before = await startsOfEach(cluster.workers);
	const orders = Array.from({ length: ORDERS }, (_, index) => {
		const { to, items } = mintItems('1');
		return { to, items: items.map((item) => ({ ...item, order: `order ${index} of ${to}` })) };
	});
	const calls = Array.from({ length: REQUESTS }, () => orders).flat();
	const answers = await Promise.all(
		calls.map(async ({ to, items }) => {
			const { status, items: told } = await cluster.executions.call('keptOrders', items);
			expect(status).toBe(200);
			return { to, told };
		}),
	);
	for (const { to } of orders) {
		const hashes = await mintedTo(cluster.kept.chain, to);
		expect(hashes).toHaveLength(1);
		const reports = answers.filter((answer) => answer.to === to).flatMap(({ told }) => told);
		expect(reports).toHaveLength(REQUESTS);
		expect(new Set(reports.map(({ hash }) => hash))).toEqual(new Set(hashes));
		expect(reports.filter(({ replayed }) => replayed !== true)).toHaveLength(1);
	}
	const after = await startsOfEach(cluster.workers);
	for (const [worker, starts] of after.entries())
		expect(starts).toBeGreaterThan(before[worker] ?? 0);
});
