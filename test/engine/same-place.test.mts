/** What n8n's Retry on Fail may and may not send again: the place of a write decides, whatever the request is now. */
import type { IDataObject, INode } from 'n8n-workflow';

import { hashOf } from './support/answering-service.mts';
import { NODE, startNode, walletServiceNode } from './support/engine.mts';
import { CONTRACT, Writing } from './support/writing.mts';

const writing = Writing.prepare();

const RETRY: Partial<INode> = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
/** Gives another value each time it is evaluated, as `Date.now()` and `$now` do. */
const CHANGING = '={{ [String(Date.now() + Math.floor(Math.random() * 1e9))] }}';

const write = (changes: IDataObject = {}) => writing.parameters({ args: CHANGING, ...changes });

const run = async (parameters: IDataObject, node: Partial<INode> = RETRY, count = 1) =>
	await writing.run(parameters, node, {
		items: Array.from({ length: count }, (_, number) => ({ number })),
	});

const FAILED = { body: { status: 'FAILED', error: 'no gas yet' } };

test('an answered write is replayed although its argument changes with time, and both calls are named', async () => {
	writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(7) } }, FAILED);
	const { items, error } = await run(write(), RETRY, 2);
	expect(error).toBeUndefined();
	expect(writing.service.writes).toHaveLength(3);
	const [first, second] = items.map(({ json }) => json);
	expect(first).toMatchObject({
		hash: hashOf(7),
		replayed: true,
		warning: expect.stringContaining('Nothing was sent now'),
		sentCall: { contractAddress: CONTRACT, function: 'store(uint256)', value: '0' },
		requestedCall: { contractAddress: CONTRACT, function: 'store(uint256)', value: '0' },
	});
	expect(first?.sentCall).toMatchObject({ args: writing.service.writes[0]?.args });
	expect(first?.requestedCall).not.toEqual(first?.sentCall);
	expect(second).toMatchObject({ hash: hashOf(3) });
	expect(second).not.toHaveProperty('replayed');
});

test('a replay with the same values says no more than that', async () => {
	writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(7) } }, FAILED);
	const { items } = await run(write({ args: '["1"]' }), RETRY, 2);
	expect(items[0]?.json).toEqual({
		summary: 'Submitted by an earlier try: store(…) of 0xd8dA…6045',
		submitted: true,
		hash: hashOf(7),
		contractAddress: CONTRACT,
		submittedAt: expect.any(String),
		userId: 'DISCORD-1',
		replayed: true,
	});
});

test('an answered write is replayed although its parameters cannot be read any more', async () => {
	writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(7) } }, FAILED);
	const variables: IDataObject = { number: '1' };
	void writing.service.received(2).then(() => (variables.number = 'no number'));
	const { items, error } = await writing.engine.run({
		parameters: write({ args: '={{ [$vars.number] }}' }),
		credential: writing.credential(),
		items: [{}, { number: 2 }],
		node: { ...RETRY, onError: 'stopWorkflow' },
		variables,
	});
	// The second item cannot be read either, and has never been sent.
	expect(error?.message).toMatch(/"no number"/);
	expect(error?.description).toContain('Item 1');
	expect(error?.description).toContain(`item 0: ${hashOf(7)}`);
	expect(items).toEqual([]);
	expect(writing.service.writes).toHaveLength(2);
});

test('a replay does not claim other values when nobody knows what is asked for now', async () => {
	writing.service.answer({ body: { status: 'SUCCESS', hash: hashOf(7) } }, FAILED);
	const variables: IDataObject = { number: '1' };
	void writing.service.received(2).then(() => (variables.number = 'no number'));
	const { items } = await writing.engine.run({
		parameters: write({ args: '={{ [$itemIndex === 0 ? $vars.number : "2"] }}' }),
		credential: writing.credential(),
		items: [{}, {}],
		node: RETRY,
		variables,
	});
	expect(items[0]?.json).toMatchObject({
		summary: 'Submitted by an earlier try: see "sentCall"',
		...{ hash: hashOf(7), replayed: true, sentCall: { args: ['1'] } },
		warning: expect.not.stringContaining('other values'),
	});
	expect(items[0]?.json).not.toHaveProperty('requestedCall');
});

test('a write of unknown outcome is refused whatever is asked for now', async () => {
	writing.service.answer('cut');
	const { error } = await run(write());
	expect(writing.service.writes).toHaveLength(1);
	expect(error?.message).toContain('Not sent again: an earlier try');
	expect(error?.message).toContain('The earlier try asked for');
	expect(error).toMatchObject({
		context: { details: { outcome: 'unknown', code: 'not-sent-again', itemIndex: 0 } },
	});
});

test('Resend When Unknown sends it again, and a refusal does not make the first sending known', async () => {
	writing.service.answer('cut', { status: 400, body: { error: 'bad nonce' } });
	const options = { resendWhenUnknown: true };
	const { error } = await run(write({ options }), { ...RETRY, maxTries: 2 });
	expect(writing.service.writes).toHaveLength(2);
	expect(error?.message).toContain('bad nonce');
	expect(error?.message).toContain('An earlier try in this execution may have sent');
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
});

test('a refused write may be sent again', async () => {
	writing.service.answer(FAILED, { status: 403, body: 'not yet' });
	const { items } = await run(write());
	expect(writing.service.writes).toHaveLength(3);
	expect(items[0]?.json).toMatchObject({ submitted: true, hash: hashOf(3) });
	expect(items[0]?.json).not.toHaveProperty('replayed');
});

test('options that fail at a later try do not make an unknown write a refused one', async () => {
	writing.service.answer('cut');
	const variables: IDataObject = { tries: 1 };
	void writing.service.received(1).then(() => (variables.tries = 'many'));
	const { error } = await writing.engine.run({
		parameters: write({ options: { maxTries: '={{ $vars.tries }}' } }),
		credential: writing.credential(),
		node: RETRY,
		variables,
	});
	expect(error?.message).toContain('"many" is out of range');
	expect(error?.message).toContain('An earlier try in this execution may have sent');
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
	expect(writing.service.writes).toHaveLength(1);
});

test.each([
	['equal ids', { id: 'same' }, { id: 'same' }],
	['no ids', { id: '' }, { id: '' }],
])('two nodes with %s are two writes', async (_name, one, other) => {
	const second = 'Second Wallet Service';
	const parameters = write({ args: '["1"]' });
	const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	const result = await writing.engine.runWorkflow(
		[
			startNode(),
			walletServiceNode(parameters, { ...RETRY, ...one }),
			walletServiceNode(parameters, { ...RETRY, ...other, name: second }),
		],
		{ Start: to(NODE), [NODE]: to(second) },
		writing.credential(),
		[{}],
	);
	expect(result.data.resultData.error).toBeUndefined();
	expect(writing.service.writes).toHaveLength(2);
	const hashes = [NODE, second].map(
		(name) => result.data.resultData.runData[name]?.[0]?.data?.main?.[0]?.[0]?.json,
	);
	expect(hashes).toMatchObject([{ hash: hashOf(1) }, { hash: hashOf(2) }]);
	expect(hashes[1]).not.toHaveProperty('replayed');
});

test('400 writes and a failure at the end: none is sent twice', async () => {
	const count = 400;
	const parameters = write({ args: '={{ [$json.number === 399 ? "not a number" : "1"] }}' });
	const { error } = await run(parameters, { ...RETRY, maxTries: 2 }, count);
	expect(error?.description).toContain('Item 399');
	expect(writing.service.writes).toHaveLength(count - 1);
});

test('writes of several executions with one credential go out one at a time', async () => {
	const parameters = write({ args: '["1"]' });
	await Promise.all(Array.from({ length: 5 }, async () => await run(parameters, {}, 4)));
	expect(writing.service.writes).toHaveLength(20);
	expect(writing.service.mostAtOnce()).toBe(1);
});

test('what an item shows at a later try does not fail because of what others have sent', async () => {
	writing.service.answer({ body: { status: 'PENDING', hash: hashOf(7) } });
	const { error } = await writing.engine.run({
		parameters: writing.parameters({
			abi: 'pay() payable',
			args: '[]',
			preview: '={{ $itemIndex === 0 }}',
			options: { nativeCoin: '5 wei' },
		}),
		credential: { ...writing.credential(), maxValuePerExecution: '5 wei' },
		items: [{}, {}],
		node: RETRY,
	});
	expect(error?.message).toContain(hashOf(7));
	expect(error).toMatchObject({ context: { details: { itemIndex: 1, outcome: 'unknown' } } });
	expect(writing.service.writes).toHaveLength(1);
});

test('a resending that is refused leaves what is known of the first sending as it was', async () => {
	const { service } = writing;
	service.answer({ body: { status: 'PENDING', hash: hashOf(7) } }, { status: 400 });
	// Switched on for the second of three tries.
	const variables = {
		get resend() {
			return service.writes.length === 1;
		},
	};
	const { error } = await writing.engine.run({
		parameters: write({ args: '["1"]', options: { resendWhenUnknown: '={{ $vars.resend }}' } }),
		credential: writing.credential(),
		node: RETRY,
		variables,
	});
	expect(service.writes).toHaveLength(2);
	expect(error).toMatchObject({
		message: expect.stringContaining('with the status "PENDING"'),
		context: {
			details: { code: 'not-sent-again', outcome: 'unknown', hashes: [hashOf(7)] },
		},
	});
});

test('a transaction that was named before a resending is named by its replay, and by the error between', async () => {
	writing.service.answer(
		{ body: { status: 'PENDING', hash: hashOf(7) } },
		{ body: { status: 'SUCCESS', hash: hashOf(8) } },
		FAILED,
	);
	const parameters = write({ args: '["1"]', options: { resendWhenUnknown: true } });
	const { items, error } = await run(parameters, RETRY, 2);
	expect(error).toBeUndefined();
	expect(writing.service.writes).toHaveLength(4);
	expect(items[0]?.json).toMatchObject({
		hash: hashOf(8),
		replayed: true,
		earlierHashes: [hashOf(7)],
	});
	writing.service.answer(
		{ body: { status: 'PENDING', hash: hashOf(7) } },
		{ body: { status: 'SUCCESS', hash: hashOf(8) } },
		FAILED,
	);
	const ended = await run(parameters, { ...RETRY, maxTries: 2 }, 2);
	expect(ended.error?.description).toContain(hashOf(8));
	expect(ended.error?.description).toContain(hashOf(7));
});
