/** The number of transfers in a list: an unreadable limit is refused before anything is sent, and never shortens the list. */
import type { IDataObject } from 'n8n-workflow';

import { CONTINUE, useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const lists = async (parameters: IDataObject, settings = {}) =>
	await node.both(
		{ resource: 'history', operation: 'list', ...parameters },
		{ items: [{ zero: 0, text: 'ten' }, {}], node: settings },
	);

/** The length that the list of the first item has in both ways. */
async function lengthOf(parameters: IDataObject): Promise<number> {
	const lengths = (await lists(parameters)).map(({ items, error }) => {
		expect(error).toBeUndefined();
		return items.filter(({ pairedItem }) => Object(pairedItem).item === 0).length;
	});
	expect(lengths[1]).toBe(lengths[0]);
	return lengths[0] ?? 0;
}

const LIMITS = ['ten', '={{ $json.text }}', '={{ NaN }}', '={{ [5] }}', null, '', 1.5, 0, -1];
const MORE_LIMITS = [
	'={{ $json.zero }}',
	'1e3',
	'={{ $json.missing }}',
	'={{ null }}',
	'={{ "" }}',
];
const SWITCHES = ['={{ undefined }}', 'yes', 1, null, '={{ 0 }}'];

test.each<[parameter: string, parameters: IDataObject]>([
	...[...LIMITS, ...MORE_LIMITS].map((limit): [string, IDataObject] => ['Limit', { limit }]),
	...SWITCHES.map((returnAll): [string, IDataObject] => ['Return All', { returnAll, limit: 2 }]),
])('%s is refused: %j', async (parameter, parameters) => {
	for (const { items, error } of await lists(parameters)) {
		expect(error).toMatchObject({ context: { details: { code: 'invalid-input', parameter } } });
		expect(items).toEqual([]);
	}
	expect(await node.service.faults.requests()).toEqual([]);
});

test('a Limit that is wrong for one item only is the error of that item', async () => {
	const limit = '={{ $itemIndex === 0 ? "ten" : 2 }}';
	const message = 'Limit: "ten" is not a whole number of 1 or more';
	for (const { items } of await lists({ limit }, CONTINUE)) {
		expect(items.map(({ json }) => json.error)).toEqual([message, undefined, undefined]);
		expect(items[0]?.json.details).toMatchObject({ itemIndex: 0, parameter: 'Limit' });
	}
});

test.each<[parameters: IDataObject, length: number]>([
	[{ limit: 1 }, 1],
	[{ limit: '2' }, 2],
	[{ limit: '={{ 2 }}' }, 2],
	[{ limit: '={{ "3" }}' }, 3],
	[{ limit: 2, returnAll: false }, 2],
	[{ limit: 2, returnAll: 'false' }, 2],
	[{ limit: 2, returnAll: '={{ false }}' }, 2],
	[{ limit: 2, returnAll: '={{ "false" }}' }, 2],
])('%j gives %i', async (parameters, length) => {
	expect(await lengthOf(parameters)).toBe(length);
});

test.each([true, 'true', '={{ true }}', '={{ "true" }}'])(
	'Return All %j gives all',
	async (value) => {
		const { id } = node.service.user();
		const { data } = await node.service.as('Nelly').get<unknown[]>(`/v1/users/${id}/history`);
		expect(data.length).toBeGreaterThan(3);
		expect(await lengthOf({ returnAll: value, limit: 2 })).toBe(data.length);
	},
);

test('without a change, both are what the form shows', async () => {
	const all = await lengthOf({ returnAll: true });
	expect(await lengthOf({})).toBe(Math.min(all, 50));
	expect(await lengthOf({ returnAll: true, limit: 'ten' })).toBe(all);
});
