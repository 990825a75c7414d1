/** Balance: Compare With and Only Items Where, exact, in both ways in which n8n runs the node; nothing passes by mistake. */
import fc from 'fast-check';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { useBothWays } from './support/both-ways.mts';

const { run, service, ways } = useBothWays();

/** The results of n8n's custom operation and of n8n's own routing. */
async function results(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	node: Partial<INode> = {},
) {
	return await run({
		parameters: { resource: 'balance', operation: 'native', ...parameters },
		items,
		node,
	});
}

/** Each answer holds this balance, of the native coin unless a token is given. */
async function answerWith(
	balance: bigint,
	decimals: number | string,
	tokenAddress: string | null = null,
): Promise<void> {
	const entry = {
		...{ balance: String(balance), decimals, symbol: 'SUSD', name: 'Sandbox Dollar' },
		...{ tokenAddress, network: 'sandbox', chainId: 1 },
	};
	await service().faults.add({ kind: 'wrong-shape', params: { body: JSON.stringify({ entry }) } });
}

const shownOf = ({ json: { amount, comparison, difference } }: { json: IDataObject }) => [
	amount,
	comparison,
	difference,
];

test.each<[balance: bigint, decimals: number, amount: unknown, comparison: string, by: string]>([
	[2374500001n, 6, '2374.500001', 'equal', '0'],
	[2374500001n, 6, '2374.5000010', 'equal', '0'],
	[2374500001n, 6, '2374.500002', 'below', '-0.000001'],
	[2374500001n, 6, '2374.5000009', 'above', '0.0000001'],
	[2374500001n, 6, ' 100', 'above', '2274.500001'],
	[0n, 18, '0', 'equal', '0'],
	[1n, 18, '0', 'above', '0.000000000000000001'],
	[3n, 0, '12.5', 'below', '-9.5'],
	[
		2n ** 256n - 1n,
		77,
		'1.15792089237316195423570985008687907853269984665640564039457584007913129639935',
		'equal',
		'0',
	],
	[5n, 0, 5, 'equal', '0'],
	[100000000n, 6, '={{ $json.minimum }}', 'equal', '0'],
])(
	'%s with %i decimals compared with %j is %s',
	async (balance, decimals, amount, comparison, by) => {
		await answerWith(balance, decimals);
		for (const { items, error } of await results({ compareWith: amount as string }, [
			{ minimum: 100 },
		])) {
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toMatchObject([{ comparison, difference: by }]);
		}
	},
);

const TOKEN = `0x${'cd'.repeat(20)}`;
const ofToken = { operation: 'token', token: TOKEN };

test.each<[answered: string | null, asked: INodeParameters]>([
	[`0x${'0d'.repeat(20)}`, ofToken],
	[null, ofToken],
	[TOKEN, {}],
])('the balance of %s does not answer %j', async (answered, asked) => {
	await answerWith(999n, 0, answered);
	for (const { items, error } of await results({ ...asked, compareWith: '100' })) {
		expect(error?.message).toContain('expected the balance of the requested asset');
		expect(items).toEqual([]);
	}
});

test('a token is the same one in upper and lower case', async () => {
	await answerWith(999n, 0, TOKEN.toUpperCase().replace('X', 'x'));
	for (const { error } of await results(ofToken)) expect(error).toBeUndefined();
});

test('what a person reads stands first', async () => {
	for (const { items } of await results({ compareWith: '100' })) {
		expect(Object.keys(items[0]?.json ?? {})).toEqual([
			...['userId', 'symbol', 'amount', 'comparison', 'difference'],
			...['name', 'baseUnits', 'decimals', 'tokenAddress', 'network', 'chainId'],
		]);
	}
});

test('left empty, nothing is compared', async () => {
	for (const { items } of await results({ compareWith: '', onlyWhere: 'any' })) {
		expect(items).toHaveLength(1);
		expect(Object.keys(items[0]?.json ?? {})).not.toContain('comparison');
	}
});

const AMOUNTS = [{ than: '4' }, { than: '5' }, { than: '6' }];

test.each([
	['any', [0, 1, 2]],
	['below', [2]],
	['atMost', [1, 2]],
	['atLeast', [0, 1]],
	['above', [0]],
])('Only Items Where %s keeps its items, each paired with its own', async (onlyWhere, kept) => {
	await answerWith(5n, 0);
	for (const { items, error } of await results(
		{ compareWith: '={{ $json.than }}', onlyWhere },
		AMOUNTS,
	)) {
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(kept.map((item) => ({ item })));
		expect(items.map(shownOf)).toEqual(
			kept.map((index) => ['5', ['above', 'equal', 'below'][index], ['1', '0', '-1'][index]]),
		);
	}
	// One answer serves all items of a run: they ask for the same.
	expect(await service().faults.requests()).toHaveLength(ways().length);
});

test('where no item is kept, there is no output and no error', async () => {
	await answerWith(5n, 0);
	for (const { items, error } of await results({ compareWith: '5', onlyWhere: 'below' }, AMOUNTS)) {
		expect([items, error]).toEqual([[], undefined]);
	}
});

test('n8n’s empty item in place of none is warned of, and a found one is not', async () => {
	await answerWith(5n, 0);
	const node = { alwaysOutputData: true };
	const hintsOf = async (compareWith: string) => {
		const [own] = await results({ compareWith, onlyWhere: 'below' }, [{}], node);
		const [task] = own?.run.data.resultData.runData['Wallet Service'] ?? [];
		return [
			own?.items.map(({ json }) => json.comparison),
			(task?.hints ?? []).map((one) => one.message),
		];
	};
	expect(await hintsOf('5')).toEqual([
		[undefined],
		[expect.stringMatching(/^There is nothing to give out.*Always Output Data/)],
	]);
	expect(await hintsOf('6')).toEqual([['below'], []]);
});

test('an item that fails says so beside those that are kept and dropped', async () => {
	await answerWith(5n, 0);
	const given = [{ than: '6' }, { than: '12,5' }, { than: '4' }];
	for (const { items } of await results(
		{ compareWith: '={{ $json.than }}', onlyWhere: 'below' },
		given,
		{ onError: 'continueRegularOutput' },
	)) {
		expect(items).toMatchObject([
			{ json: { comparison: 'below' }, pairedItem: { item: 0 } },
			{ json: { error: 'Compare With: "12,5" has a comma' }, pairedItem: { item: 1 } },
		]);
		expect(items).toHaveLength(2);
	}
});

test.each<[parameters: INodeParameters, message: string]>([
	[{ compareWith: '12,5' }, 'Compare With: "12,5" has a comma'],
	[{ compareWith: '100 SUSD' }, 'Compare With: "100 SUSD" is not an amount'],
	[{ compareWith: '-1' }, 'Compare With: "-1" is negative'],
	[{ compareWith: 'NaN' }, 'Compare With: "NaN" is not an amount'],
	[{ compareWith: '={{ NaN }}' }, 'Compare With: "NaN" is not an amount'],
	[{ compareWith: '={{ 12.5 }}' }, 'Compare With: 12.5 comes as a number with a fraction'],
	[{ compareWith: '={{ undefined }}' }, 'Compare With: The expression gives nothing'],
	[{ compareWith: '={{ null }}' }, 'Compare With: The expression gives nothing'],
	[{ compareWith: '={{ "" }}' }, 'Compare With: The expression gives nothing'],
	[{ compareWith: ' ' }, 'Compare With: No amount is given'],
	[{ onlyWhere: 'below' }, 'Compare With: No amount is given, but Only Items Where needs one'],
	[{ compareWith: '', onlyWhere: '={{ "above" }}' }, 'Compare With: No amount is given'],
	[{ onlyWhere: 'less' }, 'Only Items Where: "less" is none of the choices'],
	[{ compareWith: '5', onlyWhere: '' }, 'Only Items Where: "" is none of the choices'],
	[{ compareWith: '5', onlyWhere: '={{ undefined }}' }, 'Only Items Where: The expression gives'],
	[{ compareWith: '5', simplify: false }, 'Compare With: The JSON of the service as it came'],
	[{ compareWith: '5', simplify: 'false' }, 'Compare With: The JSON of the service as it came'],
	[{ compareWith: '', onlyWhere: 'below', simplify: false }, 'Compare With: No amount is given'],
])('%j is refused before anything is sent', async (parameters, message) => {
	for (const { items, error } of await results(parameters)) {
		expect(error?.message).toContain(message);
		expect(items).toEqual([]);
	}
	expect(await service().faults.requests()).toEqual([]);
});

test('what n8n gives is what BigInt says, for any decimals and amounts', async () => {
	const number = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
	const decimals = fc.integer({ min: 0, max: 77 });
	await fc.assert(
		fc.asyncProperty(number, decimals, number, decimals, async (balance, own, amount, places) => {
			await service().faults.reset();
			await answerWith(balance, String(own));
			const digits = String(amount).padStart(places + 1, '0');
			const cut = digits.length - places;
			const compareWith = places === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
			const [one, other] = [balance * 10n ** BigInt(places), amount * 10n ** BigInt(own)];
			const comparison = one === other ? 'equal' : one < other ? 'below' : 'above';
			for (const { items } of await results({ compareWith })) {
				expect(items.map(({ json }) => json)).toMatchObject([{ comparison }]);
				const difference = String(items[0]?.json.difference);
				const [whole = '', fraction = ''] = difference.split('.');
				const all = BigInt(whole + fraction.padEnd(own + places, '0'));
				expect(all).toBe(one - other);
			}
		}),
		{ numRuns: 40 },
	);
});
