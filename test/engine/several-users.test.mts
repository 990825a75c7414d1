/** User ID takes several users: each has items of its own, paired with the input item, in both ways in which n8n runs the node. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useBothWays } from './support/both-ways.mts';
import type { Username } from '../support/sandbox/service.mts';

const { run, service, ways } = useBothWays();

const idOf = (username?: Username): string => service().user(username).id;

async function results(
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	onError?: 'continueRegularOutput' | 'continueErrorOutput',
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

test('one user that cannot be read fails the run, and is named', async () => {
	const userId = `${idOf()}\nDISCORD-404\n${idOf('Rahul Sen')}`;
	for (const { items, error } of await results({ ...BALANCE, userId })) {
		expect(error?.message).toBe('There is no user DISCORD-404');
		expect(error).toMatchObject({ context: { details: { userId: 'DISCORD-404', itemIndex: 0 } } });
		expect(items).toEqual([]);
	}
	// Nobody is asked for behind it.
	expect(await service().faults.requests()).toHaveLength(2 * ways().length);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with %s it gives one error item, and the others their own',
	async (onError) => {
		const userId = `${idOf()}, DISCORD-404, ${idOf('Rahul Sen')}, DISCORD-405`;
		const parameters = {
			...{ resource: 'balance', operation: 'token', token: service().contracts.usd },
			...{ userId: '={{ $json.id }}', compareWith: '0', onlyWhere: 'atLeast' },
		};
		const given = [{ id: idOf('mika_dev') }, { id: userId }];
		for (const { items, errorItems, error } of await results(parameters, given, onError)) {
			expect(error).toBeUndefined();
			const all = [...items, ...errorItems];
			const failed = all.filter(({ json }) => json.error !== undefined);
			expect(all.map(({ json }) => json.userId).filter((id) => id !== undefined)).toEqual([
				...[idOf('mika_dev'), idOf(), idOf('Rahul Sen')],
			]);
			expect(failed.map(({ json }) => [json.error, json.details])).toEqual(
				['DISCORD-404', 'DISCORD-405'].map((id) => [
					`There is no user ${id}`,
					expect.objectContaining({ code: 'not-found', userId: id, itemIndex: 1 }),
				]),
			);
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
				onError === 'continueErrorOutput'
					? [{ item: 0 }, { item: 1 }, { item: 1 }]
					: [{ item: 0 }, ...Array.from({ length: 4 }, () => ({ item: 1 }))],
			);
		}
	},
);

test.each([
	['the access token is rejected', 401],
	['there are too many requests', 429],
])('what is not of one user fails the whole item: %s', async (_what, status) => {
	await service().faults.add({ kind: 'status-text', params: { status } });
	const userId = `${idOf()}, ${idOf('Rahul Sen')}`;
	const parameters = { ...BALANCE, userId, options: { maxTries: 1 } };
	for (const { items } of await results(parameters, [{}], 'continueRegularOutput')) {
		expect(items).toMatchObject([{ json: { details: { httpStatus: status, userId: idOf() } } }]);
	}
	expect(await service().faults.requests()).toHaveLength(ways().length);
});

test('a user is named behind what to do, where the title does not say who', async () => {
	await service().faults.add({ kind: 'status-text', params: { status: 500 } });
	for (const { error } of await results({ ...BALANCE, userId: idOf(), options: { maxTries: 1 } })) {
		expect(error?.description).toMatch(new RegExp(`\\. Item 0, user ${idOf()}$`));
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
