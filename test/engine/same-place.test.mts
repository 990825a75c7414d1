/** Retry on Fail: the place of a write decides, whatever has changed since the previous attempt (see also laws-of-writes). */
import type { IDataObject } from 'n8n-workflow';

import { done, failed, hashOf, LOST, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { NODE, startNode, walletServiceNode } from './support/engine.mts';
import { CHANGING, CHANGING_ARGS, sendOf, transferOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { RETRY, useNode } from './support/use-node.mts';
import { inRow } from './support/workflow-parts.mts';

const node = useNode();

const write = (changes: IDataObject = {}) => storeCall(TOKEN, changes);
const TWO = { node: RETRY, items: [{}, {}] };

/** n8n's variables, one of which changes once this many writes have arrived. */
function variableThatChanges(writes: number, before: unknown, after: unknown): IDataObject {
	const variables: IDataObject = { it: before as string };
	void node.service.received(writes).then(() => (variables.it = after as string));
	return variables;
}

/** What the token reports about itself from the next attempt on. */
function factsAfter(writes: number, facts: object): void {
	const { service } = node;
	void service.received(writes).then(() => (service.facts = facts));
}

const ONLY = {
	...{ submitted: true, hash: hashOf(7), submittedAt: expect.any(String) },
	...{ userId: ALICE.id, replayed: true },
};

test('a replay with the same values says no more than that', async () => {
	node.service.answer(done(7), failed());
	const { items } = await node.run(write(), TWO);
	const summary = 'Submitted by an earlier attempt: store(…) of 0xd8dA…6045';
	expect(items[0]?.json).toEqual({ ...ONLY, summary, contractAddress: TOKEN });
});

test('a replayed send says its amount, without a check of the balance', async () => {
	node.service.answer(done(7), failed());
	const { items } = await node.run(sendOf(), TWO);
	expect(node.service.asked('/balance/')).toHaveLength(3);
	const summary = 'Submitted by an earlier attempt: 12.5 SUSD to GOOGLE-2 (0xb2b2…b2b2)';
	expect(items[0]?.json).toMatchObject({ summary, hash: hashOf(7), replayed: true });
});

test('a replay of another amount claims none', async () => {
	node.service.answer(done(7), failed());
	const { items } = await node.run(sendOf({ amount: CHANGING }), TWO);
	expect(items[0]?.json).toEqual({
		...ONLY,
		summary: 'Submitted by an earlier attempt, with other values: see "sentCall"',
		warning: expect.stringContaining('so nothing was sent now'),
		sentCall: expect.objectContaining({ args: node.service.writes[0]?.args }),
		requestedCall: expect.objectContaining({ function: 'transfer(address,uint256)' }),
	});
});

test('a replay does not claim other values when nobody knows what is asked for now', async () => {
	node.service.answer(done(7), failed());
	const variables = variableThatChanges(2, '1', 'no number');
	const args = '={{ [$itemIndex === 0 ? $vars.it : "2"] }}';
	const { items } = await node.run(write({ args }), { ...TWO, variables });
	expect(items[0]?.json).toMatchObject({
		summary: 'Submitted by an earlier attempt: see "sentCall"',
		...{ hash: hashOf(7), replayed: true, sentCall: { args: ['1'] } },
		warning: expect.not.stringContaining('other values'),
	});
	expect(items[0]?.json).not.toHaveProperty('requestedCall');
});

test.each<[string, IDataObject, RegExp]>([
	['its parameters', write({ args: '={{ [$vars.it] }}' }), /"no number"/],
	['the token of a send', sendOf(), /does not look like an ERC-20 token/],
	['the token of an amount', transferOf('12.5 token'), /reports no decimals/],
])('an answered write is kept although %s cannot be read any more', async (_what, call, says) => {
	node.service.answer(done(7), failed());
	const variables = variableThatChanges(2, '1', 'no number');
	factsAfter(2, {});
	const { items, error } = await node.run(call, { ...TWO, variables });
	// The second item cannot be read either, and has never been sent.
	expect(error?.message).toMatch(says);
	expect(error?.description).toMatch(new RegExp(`Item 1\n.*item 0: ${hashOf(7)}`));
	expect(items).toEqual([]);
	expect(node.service.writes).toHaveLength(2);
});

test('a write that was refused is sent with the decimals of its own try', async () => {
	node.service.answer(failed());
	factsAfter(1, { decimals: 8, symbol: 'SUSD' });
	const { items } = await node.run(transferOf('12.5 token'), { node: RETRY });
	const amounts = node.service.writes.map(({ args }) => args[1]);
	expect(amounts).toEqual(['12500000', '1250000000']);
	expect(items[0]?.json.hash).toBe(hashOf(2));
});

test('an answered write is replayed although the decimals are others now', async () => {
	node.service.answer(done(7), failed());
	factsAfter(2, { decimals: 8, symbol: 'SUSD' });
	const { items } = await node.run(transferOf('12.5 token'), TWO);
	expect(items[0]?.json).toMatchObject({
		...{ hash: hashOf(7), replayed: true },
		sentCall: { args: [BOB.address, '12500000'] },
		requestedCall: { args: [BOB.address, '1250000000'] },
	});
	expect(node.service.writes[2]?.args[1]).toBe('1250000000');
});

test('a try that ends earlier than the one before it names what that one did', async () => {
	node.service.answer(done(7), { status: 500, body: `lost: ${hashOf(8)}` });
	factsAfter(2, {});
	const items = [true, false, false].map((shown) => ({ shown }));
	const call = { ...transferOf('12.5 token'), preview: '={{ $json.shown }}' };
	const { error } = await node.run(call, { node: RETRY, items });
	expect(error?.message).toMatch(/reports no decimals/);
	expect(error?.description).toContain(`Submitted before, item 1: ${hashOf(7)}`);
	expect(error?.description).toMatch(new RegExp(`Unknown outcome, item 2: .*${hashOf(8)}`));
	expect(node.service.writes).toHaveLength(2);
});

test.each<[string, IDataObject, unknown, unknown, RegExp]>([
	[
		'options that cannot be read',
		write({ options: { maxTries: '={{ $vars.it }}' } }),
		...([1, 'many', /"many" is out of range/] as const),
	],
	[
		'too low a balance',
		sendOf({ amount: '={{ $vars.it }}', options: { resendWhenUnknown: true } }),
		...(['5', '99999999999', /99999999999 needed/] as const),
	],
])('%s at a later try do not make a sending known', async (_what, call, before, after, says) => {
	node.service.answer(LOST);
	const variables = variableThatChanges(1, before, after);
	const { error } = await node.run(call, { node: RETRY, variables });
	expect(error?.message).toMatch(says);
	expect(error?.message).toContain('An earlier attempt in this execution may have sent');
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(1);
});

test.each([
	['equal ids', 'same'],
	['no ids', ''],
])('two nodes with %s are two writes', async (_name, id) => {
	const second = 'Second Wallet Service';
	const { data } = await node.engine.runWorkflow(
		[
			startNode(),
			walletServiceNode(write(), { ...RETRY, id }),
			walletServiceNode(write(), { ...RETRY, id, name: second }),
		],
		inRow('Start', NODE, second),
		node.service.credential(),
		[{}],
	);
	expect(data.resultData.error).toBeUndefined();
	expect(node.service.writes).toHaveLength(2);
	const items = [NODE, second].map(
		(name) => data.resultData.runData[name]?.[0]?.data?.main?.[0]?.[0]?.json,
	);
	expect(items).toMatchObject([{ hash: hashOf(1) }, { hash: hashOf(2) }]);
	expect(items[1]).not.toHaveProperty('replayed');
});

test('400 writes and a failure at the end: none is sent twice', async () => {
	const items = Array.from({ length: 400 }, (_, number) => ({ number }));
	const args = '={{ [$json.number === 399 ? "not a number" : "1"] }}';
	const { error } = await node.run(write({ args }), { node: { ...RETRY, maxTries: 2 }, items });
	expect(error?.description).toContain('Item 399');
	expect(node.service.writes).toHaveLength(399);
});

test('what an item shows at a later try does not fail because of what others have sent', async () => {
	node.service.answer(pending(7));
	const coin = { abi: 'pay() payable', args: '[]', options: { nativeCoin: '5 wei' } };
	const credential = node.service.credential({ maxValuePerExecution: '5 wei' });
	const call = write({ ...coin, preview: '={{ $itemIndex === 0 }}' });
	const { error } = await node.run(call, { ...TWO, credential });
	expect(error?.message).toContain(hashOf(7));
	expect(error).toMatchObject({ context: { details: { itemIndex: 1, outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(1);
});

test('a resending that is refused leaves what is known of the first sending as it was', async () => {
	const { service } = node;
	service.answer(pending(7), { status: 400 });
	// Switched on for the second of three attempts.
	const variables = {
		get resend() {
			return service.writes.length === 1;
		},
	};
	const options = { resendWhenUnknown: '={{ $vars.resend }}' };
	const call = write({ args: CHANGING_ARGS, options });
	const { error } = await node.run(call, { node: RETRY, variables });
	expect(service.writes).toHaveLength(2);
	const details = { code: 'not-sent-again', outcome: 'unknown', hashes: [hashOf(7)] };
	expect(error?.message).toContain('with the status "PENDING"');
	expect(error).toMatchObject({ context: { details } });
});
