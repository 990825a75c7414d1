/** Compare With and Balances to Output are exact, in both ways in which n8n runs the operations of Balance. */
import type { IDataObject } from 'n8n-workflow';

import { json } from './support/answers.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const NATIVE = { resource: 'balance', operation: 'native' };
const results = async (parameters: IDataObject, settings?: RunSettings) =>
	await node.both({ ...NATIVE, ...parameters }, settings);
/** The output items, asserted to be the same for the node's own operations and n8n's routing. */
const outputs = async (parameters: IDataObject, items: IDataObject[] = [{}]) =>
	await node.outputs({ ...NATIVE, ...parameters }, items);

/** Answers every request with this balance, in the native coin unless a token is given. */
function answerWith(balance: bigint, decimals: unknown, tokenAddress?: string): void {
	const entry = {
		balance: String(balance),
		decimals,
		symbol: 'SUSD',
		name: 'Sandbox Dollar',
		tokenAddress: tokenAddress ?? null,
		network: 'sandbox',
		chainId: 1,
	};
	node.service.script = () => json({ entry });
}

const MAX = 2n ** 256n - 1n;

// Random amounts are tested in test/unit/values/decimal.
test.each<[balance: bigint, decimals: unknown, amount: unknown, comparison: string, by: string]>([
	[2374500001n, 6, '2374.5000010', 'equal', '0'],
	[MAX, '0', String(MAX - 1n), 'above', '1'],
	[10n ** 30n, '18', '1000000000000.00000000000000000001', 'below', `-0.${'0'.repeat(19)}1`],
	[2374500001n, 6, ' 100', 'above', '2274.500001'],
	[5n, 0, 5, 'equal', '0'],
	[100000000n, 6, '={{ $json.minimum }}', 'equal', '0'],
])('%s of %s decimals compared with %j is %s', async (...row) => {
	const [balance, decimals, compareWith, comparison, difference] = row;
	answerWith(balance, decimals);
	const items = await outputs({ compareWith } as IDataObject, [{ minimum: 100 }]);
	expect(items).toMatchObject([{ comparison, difference }]);
});

const TOKEN = `0x${'cd'.repeat(20)}`;
const ofToken = { operation: 'token', token: TOKEN };

test.each<[answered: string | undefined, asked: IDataObject]>([
	[`0x${'0d'.repeat(20)}`, ofToken],
	[undefined, ofToken],
	[TOKEN, {}],
])('the balance of %s does not answer %j', async (answered, asked) => {
	answerWith(999n, 0, answered);
	for (const { items, error } of await results({ ...asked, compareWith: '100' })) {
		expect(error?.message).toContain('expected the balance of the requested asset');
		expect(items).toEqual([]);
	}
});

test('a token is the same in upper and lower case', async () => {
	answerWith(999n, 0, TOKEN.toUpperCase().replace('X', 'x'));
	for (const { error } of await results(ofToken)) expect(error).toBeUndefined();
});

const COMPARED = ['comparison', 'difference'];

test.each([
	['100', COMPARED],
	['', []],
])('compared with %j, the fields for people come first', async (compareWith, compared) => {
	answerWith(5n, 0);
	const items = await outputs({ compareWith, onlyWhere: 'any' });
	expect(items.map((item) => Object.keys(item))).toEqual([
		[
			...['userId', 'symbol', 'amount', ...compared],
			...['name', 'baseUnits', 'decimals', 'tokenAddress', 'network', 'chainId'],
		],
	]);
});

const AMOUNTS = [{ than: '4' }, { than: '5' }, { than: '6' }];

test.each([
	['any', [0, 1, 2]],
	['below', [2]],
	['atMost', [1, 2]],
	['atLeast', [0, 1]],
	['above', [0]],
])('Balances to Output %s keeps its items, each paired with its input', async (onlyWhere, kept) => {
	answerWith(5n, 0);
	const parameters = { compareWith: '={{ $json.than }}', onlyWhere };
	for (const { items, error } of await results(parameters, { items: AMOUNTS })) {
		expect(error).toBeUndefined();
		expect(items).toMatchObject(
			kept.map((item) => ({
				json: {
					amount: '5',
					comparison: ['above', 'equal', 'below'][item],
					difference: ['1', '0', '-1'][item],
				},
				pairedItem: { item },
			})),
		);
		expect(items).toHaveLength(kept.length);
	}
	// All items of a run share one answer because their requests are identical.
	expect(node.service.requests).toHaveLength(2);
});

test('if no item is kept, there is neither output nor an error', async () => {
	answerWith(5n, 0);
	expect(await outputs({ compareWith: '5', onlyWhere: 'below' }, AMOUNTS)).toEqual([]);
});

const NOTHING = expect.stringMatching(/^There is no output.*Always Output Data/);

test.each([
	['5', undefined, [NOTHING]],
	['6', 'below', []],
])('a hint explains n8n’s empty item (below %s)', async (compareWith, ...expected) => {
	answerWith(5n, 0);
	const settings = { node: { alwaysOutputData: true } };
	const [own] = await results({ compareWith, onlyWhere: 'below' }, settings);
	const [task] = own?.run.data.resultData.runData['Wallet Service'] ?? [];
	const messages = (task?.hints ?? []).map(({ message }) => message);
	expect(own?.items.map(({ json: item }) => [item.comparison, messages])).toEqual([expected]);
});

test('a failed item outputs its error beside those that are kept and dropped', async () => {
	answerWith(5n, 0);
	const items = [{ than: '6' }, { than: '12,5' }, { than: '4' }];
	const parameters = { compareWith: '={{ $json.than }}', onlyWhere: 'below' };
	for (const { items: output } of await results(parameters, { items, node: CONTINUE })) {
		expect(
			output.map(({ json: { comparison, error }, pairedItem }) => [comparison, error, pairedItem]),
		).toEqual([
			['below', undefined, { item: 0 }],
			[undefined, expect.stringMatching(/^Compare With: "12,5" /), { item: 1 }],
		]);
	}
});

// All other refusals of amounts are tested in test/unit/values/amount.
test.each<[parameters: IDataObject, parameter: string]>([
	...['12,5', '={{ NaN }}', '={{ undefined }}', '={{ null }}', '={{ "" }}', ' '].map(
		(compareWith): [IDataObject, string] => [{ compareWith }, 'Compare With'],
	),
	[{ onlyWhere: 'below' }, 'Compare With'],
	[{ compareWith: '', onlyWhere: '={{ "above" }}' }, 'Compare With'],
	[{ onlyWhere: 'less' }, 'Balances to Output'],
	[{ compareWith: '5', onlyWhere: '' }, 'Balances to Output'],
	[{ compareWith: '5', onlyWhere: '={{ undefined }}' }, 'Balances to Output'],
	[{ compareWith: '5', simplify: false }, 'Compare With'],
	[{ compareWith: '5', simplify: 'false' }, 'Compare With'],
	[{ compareWith: '', onlyWhere: 'below', simplify: false }, 'Compare With'],
])('%j is refused before anything is sent', async (parameters, parameter) => {
	await node.refused({ ...NATIVE, ...parameters }, parameter);
});
