/** User ID takes several users: each has its own items, paired with the input item, in both ways in which n8n runs the node. */
import { CONTINUE, useNode } from './support/use-node.mts';
import { type Username, useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const idOf = (username?: Username): string => node.service.user(username).id;
const requests = async () => (await node.service.faults.requests()).length;
const balance = (userId: string) => ({ resource: 'balance', operation: 'native', userId });
const usd = () => ({
	...{ resource: 'balance', operation: 'token', token: node.service.contracts.usd },
});

test.each<[form: string, value: (ids: string[]) => string]>([
	['one per line', (ids) => ids.join('\n')],
	['lines of another system, with empty ones', (ids) => `\r\n${ids.join('\r\n\r\n')}\r\n`],
	['commas', (ids) => ids.join(', ')],
	['a JSON list', (ids) => JSON.stringify(ids)],
	['a list of an expression', (ids) => `={{ ${JSON.stringify(ids)} }}`],
	['one of them twice', (ids) => [...ids, ids[0]].join('\n')],
])('%s', async (_form, value) => {
	const ids = [idOf(), idOf('Rahul Sen'), idOf('mika_dev')];
	for (const { items, error } of await node.both(balance(value(ids)))) {
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.userId, pairedItem])).toEqual(
			ids.map((id) => [id, { item: 0 }]),
		);
	}
	expect(await requests()).toBe(2 * ids.length);
});

test('each item has its own users, and a comparison drops those that do not match', async () => {
	const parameters = { userId: '={{ $json.users }}', compareWith: '100', onlyWhere: 'above' };
	const items = [
		{ users: [idOf(), idOf('newcomer')] },
		{ users: idOf('newcomer') },
		{ users: [idOf('newcomer'), idOf()] },
	];
	for (const { items: output } of await node.both({ ...usd(), ...parameters }, { items })) {
		expect(output.map(({ json, pairedItem }) => [json.userId, pairedItem])).toEqual([
			[idOf(), { item: 0 }],
			[idOf(), { item: 2 }],
		]);
	}
});

test('the transfers of several users, each with their own direction and limit', async () => {
	const users = [node.service.user(), node.service.user('Rahul Sen')];
	const listed = await node.outputs({
		...{ resource: 'history', operation: 'list', returnAll: false, limit: 2 },
		userId: users.map(({ id }) => id).join(),
	});
	const expected = users.flatMap((user) => [user, user]);
	expect(listed.map(({ userId }) => userId)).toEqual(expected.map(({ id }) => id));
	for (const [index, { direction, toAddress }] of listed.entries()) {
		expect(direction).toBe(toAddress === expected[index]?.address ? 'received' : 'sent');
	}
});

test('one user that cannot be read fails the run, and is named', async () => {
	const userId = `${idOf()}\nDISCORD-404\n${idOf('Rahul Sen')}`;
	for (const { items, error } of await node.both(balance(userId))) {
		expect(error?.message).toContain('DISCORD-404');
		const details = { code: 'not-found', userId: 'DISCORD-404', itemIndex: 0 };
		expect(error).toMatchObject({ context: { details } });
		expect(items).toEqual([]);
	}
	// Nobody behind it is requested.
	expect(await requests()).toBe(2 * 2);
});

test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'with %s it gives one error item, and the others their own',
	async (onError) => {
		const userId = `${idOf()}, DISCORD-404, ${idOf('Rahul Sen')}, DISCORD-405`;
		const compared = { userId: '={{ $json.id }}', compareWith: '0', onlyWhere: 'atLeast' };
		const given = [{ id: idOf('mika_dev') }, { id: userId }];
		const settings = { items: given, node: { onError } };
		for (const result of await node.both({ ...usd(), ...compared }, settings)) {
			const { items, errorItems, error } = result;
			expect(error).toBeUndefined();
			const all = [...items, ...errorItems].map(({ json }) => json);
			const [good, failed] = [false, true].map((isFailed) =>
				all.filter((json) => (json.error !== undefined) === isFailed),
			);
			const ids = [idOf('mika_dev'), idOf(), idOf('Rahul Sen')];
			expect(good?.map((json) => json.userId)).toEqual(ids);
			expect(failed?.map(({ details }) => details)).toMatchObject(
				['DISCORD-404', 'DISCORD-405'].map((id) => ({
					...{ code: 'not-found', userId: id, itemIndex: 1 },
				})),
			);
			const pairs = onError === 'continueErrorOutput' ? [0, 1, 1] : [0, 1, 1, 1, 1];
			expect(items.map(({ pairedItem }) => pairedItem)).toEqual(pairs.map((item) => ({ item })));
		}
	},
);

test.each([
	['the access token is rejected', 401],
	['there are too many requests', 429],
])('what is not about one user fails the whole item: %s', async (_what, status) => {
	await node.service.faults.add({ kind: 'status-text', params: { status } });
	const parameters = { ...balance(`${idOf()}, ${idOf('Rahul Sen')}`), options: { maxTries: 1 } };
	const details = { httpStatus: status, userId: idOf() };
	for (const { items } of await node.both(parameters, { node: CONTINUE })) {
		expect(items).toMatchObject([{ json: { details } }]);
	}
	expect(await requests()).toBe(2);
});

test('the user stands behind the hint where the message does not name them', async () => {
	await node.service.faults.add({ kind: 'status-text', params: { status: 500 } });
	for (const { error } of await node.both({ ...balance(idOf()), options: { maxTries: 1 } })) {
		expect(error?.description).toMatch(new RegExp(`\\. Item 0, user ${idOf()}$`));
	}
});

test.each<[userId: string, message: string]>([
	['={{ [] }}', 'User ID: No user is given'],
	['[]', 'User ID: No user is given'],
	['={{ ["DISCORD-1", ""] }}', 'User ID: The user id is empty'],
	['={{ ["DISCORD-1", null] }}', 'User ID: The user id is empty'],
	['={{ undefined }}', 'User ID: The expression gives nothing'],
	['={{ " " }}', 'User ID: The expression gives nothing'],
	['={{ $json.one ?? "" }}\n{{ $json.other ?? "" }}', 'User ID: The expression gives nothing'],
	['DISCORD-1\nrahul', 'User ID: "rahul" '],
	['["DISCORD-1"', 'User ID: "[\\"DISCORD-1\\"" is not JSON'],
	["={{ Array.from({ length: 101 }, (_, i) => 'DISCORD-' + i) }}", 'User ID: 101 users'],
])('%s is refused before anything is sent', async (userId, message) => {
	for (const { items, error } of await node.both(balance(userId))) {
		expect(error?.message).toContain(message);
		expect(items).toEqual([]);
	}
	expect(await requests()).toBe(0);
});
