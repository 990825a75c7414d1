/** User ID accepts several users: each has its own items, paired with the input item, in both ways of running the node. */
import type { IDataObject } from 'n8n-workflow';

import { useService, type Username } from '../support/sandbox/service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode(useService());

const idOf = (username?: Username): string => node.service.user(username).id;
const requests = async () => await node.service.faults.requests();

const BALANCE = { resource: 'balance', operation: 'native' };
const ofToken = (): IDataObject => ({
	resource: 'balance',
	operation: 'token',
	token: node.service.contracts.usd,
});

// All forms of the list, and all other refusals, are tested in test/unit/values/user-ids.
test.each<[form: string, value: (ids: string[]) => string]>([
	['lines of another system, with empty ones', (ids) => `\r\n${ids.join('\r\n\r\n')}\r\n`],
	['a list of an expression', (ids) => `={{ ${JSON.stringify(ids)} }}`],
	['one of them twice', (ids) => [...ids, ids[0]].join('\n')],
])('%s', async (_form, value) => {
	const ids = [idOf(), idOf('Rahul Sen'), idOf('mika_dev')];
	for (const { items, error } of await node.both({ ...BALANCE, userId: value(ids) })) {
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.userId, pairedItem])).toEqual(
			ids.map((id) => [id, { item: 0 }]),
		);
	}
	expect(await requests()).toHaveLength(ids.length * 2);
});

test('each item has its own users, and a comparison drops those that do not match', async () => {
	const comparison = { userId: '={{ $json.users }}', compareWith: '100', onlyWhere: 'above' };
	const given = [
		{ users: [idOf(), idOf('newcomer')] },
		{ users: idOf('newcomer') },
		{ users: [idOf('newcomer'), idOf()] },
	];
	for (const { items } of await node.both({ ...ofToken(), ...comparison }, { items: given })) {
		expect(items.map(({ json, pairedItem }) => [json.userId, pairedItem])).toEqual([
			[idOf(), { item: 0 }],
			[idOf(), { item: 2 }],
		]);
	}
});

test('the transfers of several users, each with their own direction and limit', async () => {
	const ids = [idOf(), idOf('Rahul Sen')];
	const list = { resource: 'history', operation: 'list', returnAll: false, limit: 2 };
	const items = await node.outputs({ ...list, userId: ids.join(', ') });
	expect(items.map(({ userId }) => userId)).toEqual(ids.flatMap((id) => [id, id]));
	for (const { userId, direction, toAddress } of items) {
		const own = node.service.user(userId === idOf() ? 'Nelly' : 'Rahul Sen').address;
		expect(direction).toBe(toAddress === own ? 'received' : 'sent');
	}
});

test('a user that cannot be read fails the run, and is named in the error', async () => {
	const userId = `${idOf()}\nDISCORD-404\n${idOf('Rahul Sen')}`;
	for (const { items, error } of await node.both({ ...BALANCE, userId })) {
		const details = { code: 'not-found', userId: 'DISCORD-404', itemIndex: 0 };
		expect(error?.message).toContain('DISCORD-404');
		expect(error).toMatchObject({ context: { details } });
		expect(items).toEqual([]);
	}
	// The third user is not requested.
	expect(await requests()).toHaveLength(2 * 2);
});

const CONTINUING = ['continueRegularOutput', 'continueErrorOutput'] as const;

test.each(CONTINUING)('with %s, it has an error item; others have their own', async (onError) => {
	const userId = `${idOf()}, DISCORD-404, ${idOf('Rahul Sen')}, DISCORD-405`;
	const comparison = { userId: '={{ $json.id }}', compareWith: '0', onlyWhere: 'atLeast' };
	const settings = { items: [{ id: idOf('mika_dev') }, { id: userId }], node: { onError } };
	for (const result of await node.both({ ...ofToken(), ...comparison }, settings)) {
		const { items, errorItems, error } = result;
		expect(error).toBeUndefined();
		const all = [...items, ...errorItems];
		const failed = all.filter(({ json }) => json.error !== undefined);
		const ids = [idOf('mika_dev'), idOf(), idOf('Rahul Sen')];
		expect(all.flatMap(({ json }) => json.userId ?? [])).toEqual(ids);
		expect(failed.map(({ json }) => json.details)).toMatchObject(
			['DISCORD-404', 'DISCORD-405'].map((id) => ({ code: 'not-found', itemIndex: 1, userId: id })),
		);
		const paired = onError === 'continueErrorOutput' ? [0, 1, 1] : [0, 1, 1, 1, 1];
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(paired.map((item) => ({ item })));
	}
});

test.each([
	['the access token is rejected', 401],
	['there are too many requests', 429],
])('a failure that concerns all users fails the whole item: %s', async (_what, status) => {
	await node.service.faults.add({ kind: 'status-text', params: { status } });
	const userId = `${idOf()}, ${idOf('Rahul Sen')}`;
	const parameters = { ...BALANCE, userId, options: { maxTries: 1 } };
	for (const { items } of await node.both(parameters, { node: CONTINUE })) {
		expect(items).toMatchObject([{ json: { details: { httpStatus: status, userId: idOf() } } }]);
	}
	expect(await requests()).toHaveLength(2);
});

test('the user follows the hint if the message does not contain the ID', async () => {
	await node.service.faults.add({ kind: 'status-text', params: { status: 500 } });
	const { error } = await node.run({ ...BALANCE, userId: idOf(), options: { maxTries: 1 } });
	expect(error?.description).toMatch(new RegExp(`\\. Item 1, user ${idOf()}$`));
});

test.each([
	'={{ ["DISCORD-1", null] }}',
	'={{ undefined }}',
	'={{ $json.one ?? "" }}\n{{ $json.other ?? "" }}',
])('%s is refused before anything is sent', async (userId) => {
	await node.refused({ ...BALANCE, userId }, 'User ID');
});
