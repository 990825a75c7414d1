/** What a model asks for again is answered by the service's list as well: another process of n8n may have sent it. */
import { forgetAll } from './support/forget.mts';
import type { Caller } from './support/ephemeral-calls.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';

const kept = new KeptWrites();
const { node } = kept;

afterEach(() => jest.restoreAllMocks());

const inExecution = (name: string, caller: Caller = {}): Caller => ({
	executionId: `tools ${kept.number} ${name}`,
	workflowId: 'w1',
	node: 'Pay',
	...caller,
});

const BUILT_IN = (): Caller => ({ ...inExecution(''), executionId: undefined });
test.each<[string, first: () => Caller, again: () => Caller]>([
	['in another execution', () => inExecution('1'), () => inExecution('2')],
	['of a built-in agent, which has no execution', () => inExecution('1'), BUILT_IN],
	['after that of a built-in agent', BUILT_IN, BUILT_IN],
])(
	'a process that was just started does not send an equal call %s',
	async (_where, first, again) => {
		const [count, [sent, found]] = await kept.transactionsOf(async () => {
			const sent = await node.tool(kept.write(), {}, first());
			forgetAll();
			return [sent, await node.tool(kept.write(), {}, again())];
		}, 1);
		expect(sent).toMatchObject({ submitted: true, hash: HASH });
		const summary = expect.stringMatching(/^Not sent again, already sent just now: /);
		expect(found).toMatchObject({ hash: sent?.hash, replayed: true, summary });
		expect(count).toBe(1);
	},
);

test.each([
	['of another node', {}, { node: 'Pay Others' }],
	['of another workflow', {}, { workflowId: 'w2' }],
	['with an Order ID', { orderId: 'further' }, {}],
	['with Send Again', { sendAgain: true }, {}],
])('it sends one %s', async (_which, wish, caller) => {
	const { orderId } = wish as { orderId?: string };
	const own = { ...wish, ...(orderId && { orderId: `${orderId} ${kept.number}` }) };
	const [count, item] = await kept.transactionsOf(async () => {
		await node.tool(kept.write(), {}, inExecution('1'));
		forgetAll();
		return await node.tool(kept.write(own), {}, inExecution('2', caller));
	}, 2);
	expect(item).not.toHaveProperty('replayed');
	expect(count).toBe(2);
});

test('it sends nothing if the list cannot be read', async () => {
	await node.tool(kept.write(), {}, inExecution('1'));
	forgetAll();
	const match = { method: 'GET', path: '/v1/writes' };
	await node.service.faults.add({ kind: 'drop-before', match });
	await kept.transactionsOf(async () => {
		await expect(node.tool(kept.write(), {}, inExecution('2'))).rejects.toThrow();
	});
	const puts = (await kept.methods()).filter((method) => method === 'PUT');
	expect(puts).toHaveLength(1);
});

test('an order answers no call without one', async () => {
	const order = kept.write({ orderId: `order ${kept.number}` });
	const [count, plain] = await kept.transactionsOf(async () => {
		await node.tool(order, {}, inExecution('1'));
		forgetAll();
		return await node.tool(kept.write(), {}, inExecution('2'));
	}, 2);
	expect(plain).not.toHaveProperty('replayed');
	expect(count).toBe(2);
});

test('a call with Send Again answers an equal one of its own execution', async () => {
	const again = await node.tool(kept.write({ sendAgain: true }), {}, inExecution('1'));
	forgetAll();
	// With the next write, the process forgets what it has sent two days before.
	await node.tool(kept.write({}, { args: `["${kept.number}99"]` }), {}, inExecution('2'));
	const found = await node.tool(kept.write(), {}, inExecution('1'));
	expect(found).toMatchObject({ hash: again.hash, replayed: true });
});

test('an order that was paid is not paid again while something answers in place of the service', async () => {
	const order = kept.write({ orderId: `order ${kept.number}`, maxTries: 1 });
	const [count] = await kept.transactionsOf(async () => {
		const paid = await node.tool(order, {}, inExecution('1'));
		forgetAll();
		const match = { method: 'GET', path: '/v1/service' };
		const params = { status: 404, body: '404 page not found' };
		await node.service.faults.add({ kind: 'status-text', params, times: 1, match });
		const again = await node.tool(order, {}, inExecution('2'));
		expect(again).toMatchObject({ hash: paid.hash, replayed: true });
	}, 1);
	expect(count).toBe(1);
});

test('a Retry sends nothing as another user, also in a process that was just started, and what is new as the same one', async () => {
	const retry = inExecution('1', { mode: 'retry' });
	const { chain, user } = node.service;
	const ofRahul = async () => await chain.getTransactionCount(user('Rahul Sen').address);
	const before = await ofRahul();
	const paid = await node.tool(kept.write(), {}, inExecution('1'));
	forgetAll();
	const credential = node.service.credential('Rahul Sen');
	const asRahul = node.tool(kept.write(), {}, { ...retry, credential });
	const details = { outcome: 'unknown' };
	await expect(asRahul).rejects.toThrow('has paid from another account');
	await expect(asRahul).rejects.toMatchObject({ context: { details } });
	expect(await ofRahul()).toBe(before);
	expect(await node.tool(kept.write(), {}, retry)).toMatchObject({
		hash: paid.hash,
		replayed: true,
	});
	const other = await node.tool(kept.write({}, { args: `["${kept.number}99"]` }), {}, retry);
	expect(other).not.toHaveProperty('replayed');
});

test('a call that may have been sent counts for the limits until it is decided, however often a model asks', async () => {
	const { contracts } = node.service;
	const policy = { allowWrites: true, amountLimits: `10 ${contracts.usd}` };
	const caller = { ...inExecution('1'), credential: { ...node.service.credential(), ...policy } };
	const pay = async (amount: string) =>
		await node.tool(kept.pay(amount, { maxTries: 1 }), {}, caller);
	await kept.fault('PUT', { kind: 'drop-before', times: 1 });
	await kept.fault('DELETE', { kind: 'drop-before' });
	await expect(pay('6')).rejects.toMatchObject({ context: { details: { outcome: 'unknown' } } });
	await expect(pay('7')).rejects.toThrow('Token Limits per Execution');
	await node.service.faults.clear();
	await kept.fault('PUT', { kind: 'status-text', params: { status: 403 }, times: 1 });
	await expect(pay('6')).rejects.toMatchObject({ context: { details: { outcome: 'refused' } } });
	expect(await pay('7')).toMatchObject({ submitted: true, hash: HASH });
});
