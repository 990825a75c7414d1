/** A database that fails at once: what is known of a write is still told, and the check names the problem. */
import { networkOf } from '../../service/src/rpc/networks.mts';
import { Watch } from '../../service/src/operation/watch.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Committed } from '../../service/src/store/writes.mts';
import { Deadline } from '../../service/src/writes/deadline.mts';
import { Delivery } from '../../service/src/writes/delivery.mts';
import { Refusals } from '../../service/src/writes/refusals.mts';

test('a write that no endpoint takes keeps its hash when the database fails after its commit', async () => {
	const db = await openDatabase(':memory:');
	const problems: string[] = [];
	const delivery = new Delivery({
		db,
		ttlMs: 0,
		broadcast: async () => [],
		refusals: new Refusals(),
		log: (problem) => problems.push(problem),
		observe: () => undefined,
	});
	await db.destroy();
	const write = { user_id: 'LOCAL-anna', key: 'order', state: 'signed' };
	const stored = { write, attempt: { hash: '0x1' }, isGivenUp: false } as Committed;
	expect(await delivery.deliver(stored, new Deadline(1_200))).toEqual(stored);
	expect(problems).toContain('A write was not read again');
});

test('a database that does not answer is a problem by name', async () => {
	const db = await openDatabase(':memory:');
	await db.destroy();
	const identity = { chainId: 31_337, genesis: '0x' };
	const endpoints = { identity, head: 0n, states: [], agreed: async () => 0n };
	const watch = new Watch({ db, endpoints, network: networkOf(31_337), lowGas: 0n });
	const { problems } = await watch.read();
	expect(problems.map(({ code }) => code)).toContain('database_not_writable');
});
