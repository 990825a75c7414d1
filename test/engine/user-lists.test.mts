/** Lists of users as people paste them, and user IDs that are easily misread in errors. */
import type { IDataObject } from 'n8n-workflow';

import { failed, json } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { failureOf, useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);

const BOTH = [ALICE.id, BOB.id];

test.each([
	`${BOTH.join(', ')},`,
	`${BOTH.join(';')};`,
	`${BOTH.join(',\n')},\n`,
	`${BOTH.join(' ;\r\n')} ;\r\n`,
	`, ${BOTH.join(',, ')} ,`,
])('%j are two users, for the node and the trigger', async (userIds) => {
	const users = await node.items({ resource: 'user', operation: 'get', userId: userIds });
	expect(users.map(({ id }) => id)).toEqual(BOTH);
	node.service.reset();
	node.service.looks = [[]];
	await poller({ event: 'newTransfer', userIds }).poll();
	expect(node.service.asked('/history').sort()).toEqual(
		BOTH.map((id) => `/v1/users/${id}/history`),
	);
	const policy = { allowedRecipients: userIds };
	const credential = node.service.credential(policy);
	expect(await node.items(sendOf(), { credential })).toMatchObject([{ submitted: true }]);
});

const USER = { resource: 'user', operation: 'get' };
const NATIVE = { resource: 'balance', operation: 'native' };
const HISTORY = { resource: 'history', operation: 'list' };

describe.each([
	['DISCORD-1\u200b', '"DISCORD-1\\u200b"'],
	['DISCORD-\u202e1', '"DISCORD-\\u202e1"'],
	['DISCORD-2,', '"DISCORD-2,"'],
])('%j is quoted', (userId, quoted) => {
	const userIds = `={{ ${JSON.stringify([userId])} }}`;
	/** As services do, the answer repeats the ID as it is. */
	beforeEach(() => {
		node.service.script = ({ path }) =>
			path.includes(encodeURIComponent(userId))
				? json({ error: `There is no user ${userId}.` }, 404)
				: undefined;
	});

	test.each<[string, IDataObject]>([
		['User: Get', { ...USER, userId: userIds }],
		['Balance: Get Native', { ...NATIVE, userId: userIds }],
		['History: Get Many', { ...HISTORY, userId: userIds }],
		['one of several users', { ...USER, userId: userIds.replace('[', '["GOOGLE-2", ') }],
		// Behind one recipient, a comma is the rest of a list.
		...(userId.endsWith(',')
			? []
			: [
					['a recipient', sendOf({ recipient: `={{ ${JSON.stringify(userId)} }}` })] as [
						string,
						IDataObject,
					],
				]),
	])('by %s', async (_what, parameters) => {
		const { error } = await node.run(parameters);
		expect(`${error?.message} ${error?.description}`).toContain(quoted);
		const item = (await node.items(parameters, { node: CONTINUE })).at(-1);
		expect(`${String(item?.error)} ${String(item?.message)}`).toContain(quoted);
	});

	test('by a history whose wallet cannot be looked up', async () => {
		node.service.script = ({ path }) =>
			path.endsWith('/history')
				? json([{ to: BOB, amount: { valueBn: '1', decimals: 0 } }])
				: failed('no such user');
		const { error } = await node.run({ ...HISTORY, userId: userIds });
		expect(error?.message).toContain(quoted);
	});

	test('by the limits of a credential', async () => {
		const credential = node.service.credential({
			allowedRecipients: userId.replace(',', '\u200c'),
		});
		const { message } = await node.refusal(sendOf(), { credential });
		expect(message).toContain(quoted.replace(',', '\\u200c'));
	});

	test('by the trigger', async () => {
		const { message } = await failureOf(poller({ event: 'newTransfer', userIds }).poll());
		expect(message).toContain(quoted);
		const watched = { event: 'balanceChanged', asset: 'token', token: TOKEN };
		expect((await failureOf(poller({ ...watched, userIds }).poll())).message).toContain(quoted);
	});
});
