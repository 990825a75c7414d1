/**
 * Writes that n8n tries again, or that wait for another attempt or execution: each is sent once, or not at all. With Retry
 * on Fail, a write is identified by its place, even if its call has changed since the last attempt (see laws-of-writes).
 * `random-writes` also tests two nodes with equal or missing IDs.
 */
import { setTimeout } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import type { Answer } from './support/answers.mts';
import { done, failed, hashOf, LOST, pending } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CHANGING, sendOf, transferOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const write = (changes: IDataObject = {}) => storeCall(TOKEN, changes);
const TWO = { node: RETRY, items: [{}, {}] };

/** n8n's variables, one of which changes once this many writes have arrived. */
function variableThatChanges(writes: number, before: unknown, after: unknown): IDataObject {
	const variables: IDataObject = { it: before as string };
	void node.service.received(writes).then(() => (variables.it = after as string));
	return variables;
}

/** Replaces the facts that the token reports once this many writes have arrived. */
function factsAfter(writes: number, facts: object): void {
	const { service } = node;
	void service.received(writes).then(() => (service.facts = facts));
}

const SENT = {
	recipient: BOB.id,
	to: BOB.address,
	tokenAddress: TOKEN,
	amount: '12.5',
	symbol: 'SUSD',
	baseUnits: '12500000',
};
const DIFFERENT = {
	warning: expect.stringContaining('so nothing was sent this time'),
	sentCall: expect.anything(),
	requestedCall: expect.objectContaining({ function: 'transfer(address,uint256)' }),
};
const OTHER_VALUES = ', with different values: see "sentCall"';

test.each<[string, IDataObject, balances: number, summary: string, more: IDataObject]>([
	['a call', write(), 0, ': store(…) of 0xd8dA…6045', { contractAddress: TOKEN }],
	['a send', sendOf(), 5, ': 12.5 SUSD to GOOGLE-2 (0xb2b2…b2b2)', SENT],
	['different values', sendOf({ amount: CHANGING }), 5, OTHER_VALUES, DIFFERENT],
])('a replay of %s claims only what was sent', async (_what, call, balances, summary, more) => {
	node.service.answer(done(7), failed());
	const { items } = await node.run(call, TWO);
	expect(items[0]?.json).toEqual({
		summary: `Submitted by an earlier attempt${summary}`,
		submitted: true,
		hash: hashOf(7),
		submittedAt: expect.any(String),
		userId: ALICE.id,
		replayed: true,
		...more,
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
		hash: hashOf(7),
		replayed: true,
		sentCall: { args: ['1'] },
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
	// The second item cannot be read either, and its write was refused.
	expect(error?.message).toMatch(words);
	expect(error?.message).toContain('row 2');
	expect(error?.description).toContain(`row 1: ${hashOf(7)}`);
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
			hash: hashOf(7),
			replayed: true,
			sentCall: { args: [BOB.address, SIX] },
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
	expect(error?.message).toContain(hashOf(8));
	expect(error?.description).toContain(`Submitted before, row 2: ${hashOf(7)}`);
	expect(error).toMatchObject({ context: { details: { itemIndex: 2, outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(2);
});

test('a later attempt with options that cannot be read leaves it unknown', async () => {
	node.service.answer(LOST);
	const variables = variableThatChanges(1, 1, 'many');
	const call = write({ options: { maxTries: '={{ $vars.it }}' } });
	const { error } = await node.run(call, { node: RETRY, variables });
	expect(error?.message).toMatch(/"many" is not a whole number/);
	expect(error?.message).toContain('An earlier attempt in this execution may have sent');
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	expect(node.service.writes).toHaveLength(1);
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

const RETRY_AFTER_S = 1;

describe('writes to a service that refuses each of them once', () => {
	/** Refuses each write once, stating when it may be repeated; returns the arrival times. */
	function refuseEachOnce(seconds: number): number[] {
		const arrivals: number[] = [];
		const refused = new Set<string>();
		node.service.script = ({ body }) => {
			arrivals.push(Date.now());
			if (refused.has(body)) return undefined;
			refused.add(body);
			return { status: 429, headers: { 'retry-after': String(seconds) }, body: 'later' };
		};
		return arrivals;
	}

	const run = async (more: RunSettings = {}) =>
		await node.run(write({ args: '={{ [$json.number] }}' }), {
			items: [1, 2, 3].map((number) => ({ number: String(number) })),
			...more,
		});

	test('are sent in order, each once its time is over', async () => {
		const arrivals = refuseEachOnce(RETRY_AFTER_S);
		const { error, items } = await run();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.hash)).toEqual([2, 4, 6].map(hashOf));
		const sent = node.service.writes.map(({ args }) => args[0]);
		expect(sent).toEqual(['1', '1', '2', '2', '3', '3']);
		const pauses = [1, 3, 5].map((again) => (arrivals[again] ?? 0) - (arrivals[again - 1] ?? 0));
		// Timers may fire slightly early.
		expect(Math.min(...pauses)).toBeGreaterThan(RETRY_AFTER_S * 1000 - 50);
	});

	test('are not sent if the policy forbids them while they wait', async () => {
		const arrivals = refuseEachOnce(RETRY_AFTER_S);
		const credential = {
			...node.service.credential(),
			get allowWrites() {
				// Writes become forbidden in the middle of the wait.
				return Date.now() < (arrivals[0] ?? Infinity) + 500;
			},
		};
		const { error } = await run({ credential });
		expect(error).toMatchObject({ context: { details: { code: 'policy-refused' } } });
		expect(arrivals).toHaveLength(1);
	});

	test('are not sent if the execution is stopped while they wait', async () => {
		const arrivals = refuseEachOnce(60);
		const cancelWhen = node.service.received(1).then(async () => await setTimeout(100));
		await run({ cancelWhen });
		await setTimeout(500);
		expect(arrivals).toHaveLength(1);
	});
});

test('a write that waits for another execution is not sent after the stop', async () => {
	const { service } = node;
	service.answer('hold');
	const first = node.run(write({ options: { timeout: 5 } }));
	await service.received(1);
	// The second execution reads its parameters, and then waits for the first one.
	let isRead: () => void = () => undefined;
	const cancelWhen = new Promise<void>((resolve) => (isRead = resolve));
	const variables = {
		get number() {
			setImmediate(isRead);
			return '2';
		},
	};
	const args = '={{ [$vars.number] }}';
	const second = node.run(write({ args }), { variables, cancelWhen });
	await Promise.all([first, second]);
	expect(service.writes).toHaveLength(1);
});
