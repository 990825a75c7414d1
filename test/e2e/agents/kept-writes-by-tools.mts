/** Writes by models at a service that keeps writes: each call pays once, whatever becomes of its answers. */
import { kept } from '../support/shared-n8n.mts';
import { ask, HOSTS } from './support/hosts.mts';

const KEYS = '/v1/writes/.*';
const submitted = { error: '', items: [{ submitted: true }] };
const sent = async () => await kept.chain.getTransactionCount(kept.user().address);
const lose = async (method: string, kind: 'drop-before' | 'drop-after') =>
	await kept.faults.add({ kind, times: 1, match: { method, path: KEYS } });

afterEach(async () => await kept.faults.reset());

describe.each(HOSTS)('%s', (host) => {
	test.each(['drop-before', 'drop-after'] as const)(
		'pays once for each of two equal calls, the first with a lost answer (%s)',
		async (kind) => {
			const before = await sent();
			await lose('PUT', kind);
			const recipient = kept.user('Rahul Sen').address;
			const payment = { name: 'Send_Dollars', arguments: { recipient, amount: '1' } };
			const outcomes = await ask(host, 'kept', [payment], [payment]);
			expect(outcomes).toMatchObject([submitted, submitted]);
			for (const { items } of outcomes) expect(items[0]).not.toHaveProperty('replayed');
			expect(await sent()).toBe(before + 2);
		},
	);
});

describe.each(['AI Agent 3.1', 'AI Agent 2.2', 'MCP Server Trigger'] as const)(
	'%s with Retry on Fail, and a different argument on each try',
	(host) => {
		test.each([
			['drop-before', {}],
			['drop-after', { replayed: true, sentCall: {}, requestedCall: {} }],
		] as const)('decides an unknown outcome at the next try (%s)', async (kind, marks) => {
			const before = await sent();
			await lose('PUT', kind);
			await lose('DELETE', 'drop-before');
			const [outcome] = await ask(host, 'keptRetry', [{ name: 'Store_Time', arguments: {} }]);
			expect(outcome).toMatchObject({ error: '', items: [{ submitted: true, ...marks }] });
			expect(await sent()).toBe(before + 1);
		});
	},
);
