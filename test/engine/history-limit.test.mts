/** How many transfers a list holds: what cannot be read is refused before anything is sent, and never shortens the list. */
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

const notWhole = (shown: string) => `Limit: ${shown} is not a whole number of 1 or more`;
const notBoolean = (shown: string) => `Return All: ${shown} is neither true nor false`;
const nothing = (field: string): unknown =>
	expect.stringContaining(`${field}: The expression returned nothing`);

test.each<[parameters: IDataObject, message: unknown]>([
	[{ limit: 'ten' }, notWhole('"ten"')],
	[{ limit: '={{ $json.text }}' }, notWhole('"ten"')],
	[{ limit: '={{ NaN }}' }, notWhole('NaN')],
	[{ limit: '={{ [5] }}' }, notWhole('[5]')],
	[{ limit: null }, notWhole('null')],
	[{ limit: '' }, notWhole('""')],
	[{ limit: 1.5 }, notWhole('1.5')],
	[{ limit: 0 }, notWhole('0')],
	[{ limit: '={{ $json.zero }}' }, notWhole('0')],
	[{ limit: -1 }, notWhole('-1')],
	[{ limit: '1e3' }, notWhole('"1e3"')],
	[{ limit: '={{ $json.missing }}' }, nothing('Limit')],
	[{ limit: '={{ null }}' }, nothing('Limit')],
	[{ limit: '={{ "" }}' }, nothing('Limit')],
	[{ returnAll: '={{ undefined }}', limit: 2 }, nothing('Return All')],
	[{ returnAll: 'yes', limit: 2 }, notBoolean('"yes"')],
	[{ returnAll: 1, limit: 2 }, notBoolean('1')],
	[{ returnAll: null, limit: 2 }, notBoolean('null')],
	[{ returnAll: '={{ 0 }}', limit: 2 }, notBoolean('0')],
])('%j is refused', async (parameters, message) => {
	for (const { items, error } of await lists(parameters)) {
		expect(error?.message).toEqual(message);
		expect(items).toEqual([]);
	}
	expect(await node.service.faults.requests()).toEqual([]);
});

test('a Limit that is wrong for one item only is the error of that item', async () => {
	const limit = '={{ $itemIndex === 0 ? "ten" : 2 }}';
	for (const { items } of await lists({ limit }, CONTINUE)) {
		const errors = items.map(({ json }) => json.error);
		expect(errors).toEqual([notWhole('"ten"'), undefined, undefined]);
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
