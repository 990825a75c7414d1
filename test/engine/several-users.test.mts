/** User ID takes several users: each has items of its own, paired with the input item, in both ways in which n8n runs the node. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useBothWays } from './support/both-ways.mts';
import type { Username } from '../support/sandbox/service.mts';

const { run, service, ways } = useBothWays();

const idOf = (username?: Username): string => service().user(username).id;

async function results(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	onError?: 'continueRegularOutput',
) {
	return await run({ parameters, items, node: { onError } });
}

const BALANCE = { resource: 'balance', operation: 'native' };

test.each<[form: string, value: (ids: string[]) => string]>([
	['one per line', (ids) => ids.join('\n')],
	['lines of another system, with empty ones', (ids) => `\r\n${ids.join('\r\n\r\n')}\r\n`],
	['commas', (ids) => ids.join(', ')],
	['a JSON list', (ids) => JSON.stringify(ids)],
	['a list of an expression', (ids) => `={{ ${JSON.stringify(ids)} }}`],
	['one of them twice', (ids) => [...ids, ids[0]].join('\n')],
])('%s', async (_form, value) => {
	const ids = [idOf(), idOf('Rahul Sen'), idOf('mika_dev')];
	for (const { items, error } of await results({ ...BALANCE, userId: value(ids) })) {
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.userId, pairedItem])).toEqual(
			ids.map((id) => [id, { item: 0 }]),
		);
	}
	expect(await service().faults.requests()).toHaveLength(ids.length * ways().length);
});

test('each item has users of its own, and a comparison drops those that it does not want', async () => {
	const parameters = {
		...{ resource: 'balance', operation: 'token', token: service().contracts.usd },
		...{ userId: '={{ $json.users }}', compareWith: '100', onlyWhere: 'above' },
	};
	const given = [
		{ users: [idOf(), idOf('newcomer')] },
		{ users: idOf('newcomer') },
		{ users: [idOf('newcomer'), idOf()] },
	];
	for (const { items } of await results(parameters, given)) {
		expect(items.map(({ json, pairedItem }) => [json.userId, pairedItem])).toEqual([
			[idOf(), { item: 0 }],
			[idOf(), { item: 2 }],
		]);
	}
});

test('the transfers of several users, each with their own direction and limit', async () => {
	const parameters = {
		...{ resource: 'history', operation: 'list', returnAll: false, limit: 2 },
		userId: `${idOf()}, ${idOf('Rahul Sen')}`,
	};
	for (const { items, error } of await results(parameters)) {
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.userId)).toEqual([
			idOf(),
			idOf(),
			idOf('Rahul Sen'),
			idOf('Rahul Sen'),
		]);
		for (const { json } of items) {
			const own = service().user(json.userId === idOf() ? 'Nelly' : 'Rahul Sen').address;
			expect(json.direction).toBe(json.toAddress === own ? 'received' : 'sent');
		}
	}
});

test('one user that cannot be read fails the item, and is named', async () => {
	const userId = `${idOf()}\nDISCORD-404`;
	for (const { items, error } of await results({ ...BALANCE, userId })) {
		expect(error?.message).toBe('There is no user DISCORD-404');
		expect(error?.description).toContain('GET /v1/users/:userId/balance');
		expect(items).toEqual([]);
	}
	const both = await results(
		{ ...BALANCE, userId: '={{ $json.id }}' },
		[{ id: userId }, { id: idOf('Rahul Sen') }],
		'continueRegularOutput',
	);
	for (const { items } of both) {
		expect(items).toMatchObject([
			{ json: { error: expect.stringContaining('DISCORD-404') }, pairedItem: { item: 0 } },
			{ json: { userId: idOf('Rahul Sen') }, pairedItem: { item: 1 } },
		]);
		expect(items).toHaveLength(2);
	}
});

test.each([
	['={{ [] }}', 'User ID: No user is given'],
	['[]', 'User ID: No user is given'],
	['={{ ["DISCORD-1", ""] }}', 'User ID: The user id is empty'],
	['={{ ["DISCORD-1", null] }}', 'User ID: The user id is empty'],
	['={{ undefined }}', 'User ID: The expression gives nothing'],
	['={{ " " }}', 'User ID: The expression gives nothing'],
	['={{ $json.one ?? "" }}\n{{ $json.other ?? "" }}', 'User ID: The expression gives nothing'],
	['DISCORD-1\nrahul', 'User ID: "rahul" is not a user id'],
	['["DISCORD-1"', 'User ID: "[\\"DISCORD-1\\"" is not JSON'],
	["={{ Array.from({ length: 101 }, (_, i) => 'DISCORD-' + i) }}", '101 users are too many'],
])('%s is refused before anything is sent', async (userId, message) => {
	for (const { items, error } of await results({ ...BALANCE, userId })) {
		expect(error?.message).toContain(message);
		expect(items).toEqual([]);
	}
	expect(await service().faults.requests()).toEqual([]);
});
