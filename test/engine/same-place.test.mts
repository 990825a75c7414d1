/** Retry on Fail: a write is recognized by its place, even if its call has changed since the last attempt (see laws-of-writes). */
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from './support/answers.mts';
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

/** Sets the facts that the token reports from the next attempt on. */
function factsAfter(writes: number, facts: object): void {
	const { service } = node;
	void service.received(writes).then(() => (service.facts = facts));
}

const toBob = { recipient: BOB.id, to: BOB.address, tokenAddress: TOKEN };

test.each<[string, IDataObject, balances: number, summary: string, more: IDataObject]>([
	['a call', write(), 0, ': store(…) of 0xd8dA…6045', { contractAddress: TOKEN }],
	[
		'a send',
		sendOf(),
		...([3, ': 12.5 SUSD to GOOGLE-2 (0xb2b2…b2b2)'] as const),
		{ ...toBob, amount: '12.5', symbol: 'SUSD', baseUnits: '12500000' },
	],
	[
		'different values',
		sendOf({ amount: CHANGING }),
		...([3, ', with different values: see "sentCall"'] as const),
		{
			warning: expect.stringContaining('so nothing was sent this time'),
			sentCall: expect.anything(),
			requestedCall: expect.objectContaining({ function: 'transfer(address,uint256)' }),
		},
	],
])('a replay of %s claims only what was sent', async (_what, call, balances, summary, more) => {
	node.service.answer(done(7), failed());
	const { items } = await node.run(call, TWO);
	expect(items[0]?.json).toEqual({
		summary: `Submitted by an earlier attempt${summary}`,
		...{ submitted: true, hash: hashOf(7), submittedAt: expect.any(String) },
		...{ userId: ALICE.id, replayed: true, ...more },
	});
	expect(node.service.asked('/balance/')).toHaveLength(balances);
});

test('a replay does not claim different values if the current ones cannot be read', async () => {
	node.service.answer(done(7), failed());
	const variables = variableThatChanges(2, '1', 'no number');
	const args = '={{ [$itemIndex === 0 ? $vars.it : "2"] }}';
	const { items } = await node.run(write({ args }), { ...TWO, variables });
	expect(items[0]?.json).toMatchObject({
		summary: 'Submitted by an earlier attempt: see "sentCall"',
		...{ hash: hashOf(7), replayed: true, sentCall: { args: ['1'] } },
		warning: expect.not.stringContaining('different values'),
	});
	expect(items[0]?.json).not.toHaveProperty('requestedCall');
});

test.each<[string, IDataObject, RegExp]>([
	['its parameters', write({ args: '={{ [$vars.it] }}' }), /"no number"/],
	['the token of a send', sendOf(), /does not look like an ERC-20 token/],
	['the token of an amount', transferOf('12.5 token'), /reports no decimals/],
])('an answered write is kept although %s can no longer be read', async (_what, call, words) => {
	node.service.answer(done(7), failed());
	const variables = variableThatChanges(2, '1', 'no number');
	factsAfter(2, {});
	const { items, error } = await node.run(call, { ...TWO, variables });
	// The second item cannot be read either, and has never been sent.
	expect(error?.message).toMatch(words);
	expect(error?.description).toMatch(new RegExp(`Item 1\n.*item 0: ${hashOf(7)}`));
	expect(items).toEqual([]);
	expect(node.service.writes).toHaveLength(2);
});

const [SIX, EIGHT] = ['12500000', '1250000000'];

test.each<[string, Answer[], IDataObject, amounts: (string | undefined)[]]>([
	['a refused write is sent with the new ones', [failed()], { hash: hashOf(2) }, [SIX, EIGHT]],
	[
		'an answered write is replayed',
		[done(7), failed()],
		{
			...{ hash: hashOf(7), replayed: true, sentCall: { args: [BOB.address, SIX] } },
			requestedCall: { args: [BOB.address, EIGHT] },
		},
		[SIX, SIX, EIGHT],
	],
])('after a change of decimals, %s', async (_what, answers, first, amounts) => {
	node.service.answer(...answers);
	factsAfter(answers.length, { decimals: 8, symbol: 'SUSD' });
	const items = answers.map(() => ({}));
	const { items: output } = await node.run(transferOf('12.5 token'), { node: RETRY, items });
	expect(output[0]?.json).toMatchObject(first);
	expect(node.service.writes.map(({ args }) => args[1])).toEqual(amounts);
});

test('an attempt that ends earlier than the one before it reports what that one did', async () => {
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

test.each<[string, IDataObject, before: unknown, after: unknown, RegExp]>([
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
])('a later attempt with %s leaves it unknown', async (_what, call, before, after, words) => {
	node.service.answer(LOST);
	const variables = variableThatChanges(1, before, after);
	const { error } = await node.run(call, { node: RETRY, variables });
	expect(error?.message).toMatch(words);
	expect(error?.message).toContain('An earlier attempt in this execution may have sent');
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(1);
});

test.each([
	['equal IDs', 'same'],
	['no IDs', ''],
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
	const items = [NODE, second].map(
		(name) => data.resultData.runData[name]?.[0]?.data?.main?.[0]?.[0]?.json,
	);
	expect(items).toMatchObject([{ hash: hashOf(1) }, { hash: hashOf(2) }]);
	expect(items[1]).not.toHaveProperty('replayed');
	expect(node.service.writes).toHaveLength(2);
});

test('400 writes and a failure at the end: none is sent twice', async () => {
	const items = Array.from({ length: 400 }, (_, number) => ({ number }));
	const args = '={{ [$json.number === 399 ? "not a number" : "1"] }}';
	const { error } = await node.run(write({ args }), { node: { ...RETRY, maxTries: 2 }, items });
	expect(error?.description).toContain('Item 399');
	expect(node.service.writes).toHaveLength(399);
});

test('the preview of an item does not fail at a later attempt because of what others have sent', async () => {
	node.service.answer(pending(7));
	const coin = { abi: 'pay() payable', args: '[]', options: { nativeCoin: '5 wei' } };
	const credential = node.service.credential({ maxValuePerExecution: '5 wei' });
	const call = write({ ...coin, preview: '={{ $itemIndex === 0 }}' });
	const { error } = await node.run(call, { ...TWO, credential });
	expect(error?.message).toContain(hashOf(7));
	expect(error).toMatchObject({ context: { details: { itemIndex: 1, outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(1);
});

test('a refused resending leaves unchanged what is known of the first sending', async () => {
	const { service } = node;
	service.answer(pending(7), { status: 400 });
	// Resend When Unknown is on only for the second of three attempts.
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
