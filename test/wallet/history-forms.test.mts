/** Odd answers of endpoints: the history is read in another way, or from another endpoint, and never stands still. */
import { Resources } from '../support/resources.mts';
import { DEPTH } from './support/indexed.mts';
import type { Lie, RpcAnswer, ScriptedEndpoint } from './support/scripted-endpoint.mts';
import { scriptedIndex } from './support/scripted-index.mts';

const resultOf = (answer: RpcAnswer): unknown => ('result' in answer ? answer.result : undefined);

/** Writes all letters of hexadecimal values in upper case. */
const shout = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value), (_name, one: unknown) =>
		typeof one === 'string' && /^0x[0-9a-f]+$/.test(one) ? `0x${one.slice(2).toUpperCase()}` : one,
	);

/** Writes integers as JSON numbers. */
const unquote = (value: unknown): unknown =>
	JSON.parse(JSON.stringify(value), (name, one: unknown) =>
		/^(?:number|timestamp|blockNumber|transactionIndex|logIndex)$/.test(name) ? Number(one) : one,
	);

/** Takes fields away. */
const without =
	(...names: string[]) =>
	(value: unknown): unknown =>
		JSON.parse(JSON.stringify(value), (name, one: unknown) =>
			names.includes(name) ? undefined : one,
		);

const error =
	(code: number, message: string): Lie =>
	() => ({ error: { code, message } });
const result =
	(value: unknown): Lie =>
	() => ({ result: value });
const changed =
	(change: (value: unknown) => unknown): Lie =>
	(_request, honest) => ({ result: change(resultOf(honest())) });

const LOGS = 'eth_getLogs';
const BLOCKS = 'eth_getBlockReceipts';
const ONE = 'eth_getTransactionReceipt';
const BLOCK = 'eth_getBlockByNumber';

/** How an endpoint answers its methods. */
const FORMS: Record<string, Record<string, Lie>> = {
	'no logs at all': { [LOGS]: result(null) },
	'no result for logs': { [LOGS]: () => undefined },
	'an object for logs': { [LOGS]: result({ logs: [] }) },
	'a refusal of logs': { [LOGS]: error(-32601, 'the method eth_getLogs does not exist') },
	'a limit that no range keeps': {
		[LOGS]: error(-32005, 'query returned more than 10000 results'),
	},
	'an error without a code': { [LOGS]: () => ({ error: { message: 'upstream' } }) },
	'an error that is a text': { [LOGS]: () => ({ error: 'backend' }) },
	'null for the receipts of a block': { [LOGS]: result(null), [BLOCKS]: result(null) },
	// paradigmxyz/cryo#93
	'receipts of a block outside its list': {
		[LOGS]: result(null),
		[BLOCKS]: error(-32001, 'rpc method is not whitelisted'),
	},
	'a refusal with the code of a parse error': {
		[LOGS]: result(null),
		[BLOCKS]: error(-32700, 'invalid params'),
	},
	'a text for the receipts of a block': { [LOGS]: result(null), [BLOCKS]: result('busy') },
	'an object for the receipts of a block': { [LOGS]: result(null), [BLOCKS]: result({}) },
	'an empty list for the receipts of a block': { [LOGS]: result(null), [BLOCKS]: result([]) },
	'receipts of a block that are null': { [LOGS]: result(null), [BLOCKS]: result([null, null]) },
	'receipts whose logs lack their places': {
		[LOGS]: result(null),
		[BLOCKS]: changed((receipts) =>
			[receipts]
				.flat()
				.map(Object)
				.map((one) => ({
					...one,
					logs: [one.logs]
						.flat()
						.map(without('blockHash', 'blockNumber', 'transactionIndex', 'logIndex', 'removed')),
				})),
		),
	},
	'logs without a transaction index': { [LOGS]: changed(without('transactionIndex')) },
	'logs without a block hash': { [LOGS]: changed(without('blockHash')) },
	'upper-case letters': Object.fromEntries(
		[LOGS, BLOCKS, ONE, BLOCK].map((method) => [method, changed(shout)]),
	),
	'numbers instead of text': Object.fromEntries(
		[LOGS, BLOCKS, ONE, BLOCK].map((method) => [method, changed(unquote)]),
	),
	'blocks without their transactions': { [BLOCK]: changed(without('transactions')) },
};

const answerBy = (endpoint: ScriptedEndpoint | undefined, lies: Record<string, Lie> = {}) => {
	for (const [method, lie] of Object.entries(lies)) endpoint?.lie(method, lie);
};

describe.each([1, 2])('with %i endpoints', (count) => {
	test.each(Object.keys(FORMS))('%s', async (name) => {
		await using own = new Resources();
		const { chain, endpoints, read, pay, listed, truth, cursors } = await scriptedIndex(own, {
			endpoints: count,
		});
		answerBy(endpoints[0], FORMS[name]);
		for (const amount of [1n, 2n]) {
			pay(amount);
			pay(amount + 10n);
			chain.mine(2);
			await read();
			expect(await listed()).toEqual(truth());
		}
		chain.mine(2 * DEPTH);
		await read();
		expect(await listed()).toEqual(truth());
		expect(truth()).toHaveLength(4);
		expect((await cursors()).final).toBeGreaterThanOrEqual(chain.head - 1.25 * DEPTH);
	});
});

test.each([
	['text', 200, 'Too many requests in a batch', 'text/plain'],
	['HTML', 413, '<!doctype html><h1>413</h1>', 'text/html'],
	[
		'one object',
		200,
		'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch"}}',
		undefined,
	],
])('requests that come together are answered by %s', async (_name, status, body, contentType) => {
	await using own = new Resources();
	const { chain, endpoints, read, pay, listed, truth, cursors } = await scriptedIndex(own, {
		endpoints: 1,
	});
	endpoints[0]?.lieByHttp((requests) =>
		requests.length === 1
			? undefined
			: { status, body, ...(contentType === undefined ? {} : { contentType }) },
	);
	pay(1n);
	chain.mine(2 * DEPTH);
	await read();
	expect(await listed()).toEqual(truth());
	expect((await cursors()).final).toBe(chain.head - DEPTH);
});

test('a block that is null at one endpoint is read from the other one', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, pay, listed, truth } = await scriptedIndex(own);
	await read();
	pay(1n);
	chain.mine();
	const missing = chain.head;
	endpoints[0]?.lie(BLOCK, ({ params: [which] }, honest) =>
		Number(which) === missing ? { result: null } : honest(),
	);
	chain.mine();
	await read();
	expect(await listed()).toEqual(truth());
	expect(truth()).toHaveLength(1);
});
