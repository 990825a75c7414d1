/** How many transfers a list holds: what cannot be read is refused before anything is sent, and never shortens the list. */
import type { INodeParameters } from 'n8n-workflow';

import { useBothWays } from './support/both-ways.mts';

const { run, service } = useBothWays();

/** The results of n8n's custom operation and of n8n's own routing. */
async function lists(parameters: INodeParameters, onError?: 'continueRegularOutput') {
	return await run({
		parameters: { resource: 'history', operation: 'list', ...parameters },
		items: [{ zero: 0, text: 'ten' }, {}],
		node: { onError },
	});
}

async function lengths(parameters: INodeParameters): Promise<number[]> {
	const results = await lists(parameters);
	for (const { error } of results) expect(error).toBeUndefined();
	return results.map(({ items }) => items.filter(({ pairedItem }) => isFirst(pairedItem)).length);
}

const isFirst = (pairedItem: unknown) => JSON.stringify(pairedItem) === '{"item":0}';

test.each<[limit: unknown, shown: string]>([
	['ten', '"ten"'],
	['={{ $json.text }}', '"ten"'],
	['={{ NaN }}', 'NaN'],
	['={{ [5] }}', '[5]'],
	[null, 'null'],
	['', '""'],
	[1.5, '1.5'],
	[0, '0'],
	['={{ $json.zero }}', '0'],
	[-1, '-1'],
	['1e3', '"1e3"'],
])('Limit %j is refused', async (limit, shown) => {
	for (const { items, error } of await lists({ limit: limit as string })) {
		expect(error?.message).toBe(`Limit: ${shown} is not a whole number from 1`);
		expect(items).toEqual([]);
	}
	expect(await service().faults.requests()).toEqual([]);
});

test.each([
	['Limit', { limit: '={{ $json.missing }}' }],
	['Limit', { limit: '={{ null }}' }],
	['Limit', { limit: '={{ "" }}' }],
	['Return All', { returnAll: '={{ undefined }}', limit: 2 }],
])('%s in %j gives nothing, and is refused', async (field, parameters) => {
	for (const { error } of await lists(parameters)) {
		expect(error?.message).toContain(`${field}: The expression gives nothing`);
	}
	expect(await service().faults.requests()).toEqual([]);
});

test('a Limit that only one item has wrong is its own error', async () => {
	for (const { items } of await lists(
		{ limit: '={{ $itemIndex === 0 ? "ten" : 2 }}' },
		'continueRegularOutput',
	)) {
		expect(items.map(({ json }) => json.error)).toEqual([
			'Limit: "ten" is not a whole number from 1',
			undefined,
			undefined,
		]);
		expect(items[0]?.json.details).toMatchObject({ itemIndex: 0, parameter: 'Limit' });
	}
});

test.each<[limit: unknown, length: number]>([
	[1, 1],
	['2', 2],
	['={{ 2 }}', 2],
	['={{ "3" }}', 3],
])('Limit %j is taken', async (limit, length) => {
	expect(await lengths({ limit: limit as number })).toEqual([length, length]);
});

test.each<[returnAll: unknown, isAll: boolean]>([
	[true, true],
	['true', true],
	['={{ true }}', true],
	['={{ "true" }}', true],
	[false, false],
	['false', false],
	['={{ false }}', false],
	['={{ "false" }}', false],
])('Return All %j decides whether the limit holds', async (returnAll, isAll) => {
	const [all = 0] = await lengths({ returnAll: true });
	expect(all).toBeGreaterThan(3);
	const expected = isAll ? all : 2;
	expect(await lengths({ returnAll: returnAll as boolean, limit: 2 })).toEqual([
		expected,
		expected,
	]);
});

test.each<[returnAll: unknown, shown: string]>([
	['yes', '"yes"'],
	[1, '1'],
	[null, 'null'],
	['={{ 0 }}', '0'],
])('Return All %j is refused', async (returnAll, shown) => {
	for (const { error } of await lists({ returnAll: returnAll as string, limit: 2 })) {
		expect(error?.message).toBe(`Return All: ${shown} is neither true nor false`);
	}
	expect(await service().faults.requests()).toEqual([]);
});

test('untouched, both are what the form says', async () => {
	const [all = 0] = await lengths({ returnAll: true });
	const length = Math.min(all, 50);
	expect(await lengths({})).toEqual([length, length]);
	expect(await lengths({ returnAll: true, limit: 'ten' })).toEqual([all, all]);
});
