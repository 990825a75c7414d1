/** The look-ups that limits need: when they are made, how many, and what their failure means. */
import type { IDataObject } from 'n8n-workflow';

import { done, json, LOST } from './support/answers.mts';
import { callOf as write, sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CAROL, TOKEN, WRITE } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const EVE = `0x${'e5'.repeat(20)}`;
const SENT = { submitted: true };
const limit = (amount: string) => ({ amountLimits: `${amount} ${TOKEN}` });

const run = async (changes: IDataObject, policy: IDataObject, more: RunSettings = {}) =>
	await node.items('resource' in changes ? changes : sendOf(changes), {
		node: CONTINUE,
		credential: node.service.credential(policy),
		...more,
	});

const refusal = async (changes: IDataObject, policy: IDataObject) =>
	await node.refusal(changes, { credential: node.service.credential(policy) });

describe('a look-up that fails is a failure of the service', () => {
	const options = { maxTries: 1 };
	test.each<[string, number, code: string, part: string, policy: IDataObject, IDataObject]>([
		['a listed user', 503, 'service-error', '/v1/users/', { allowedRecipients: BOB.id }, sendOf()],
		['a listed user', 429, 'rate-limited', '/v1/users/', { allowedRecipients: BOB.id }, sendOf()],
		['a listed user', 403, 'forbidden', '/v1/users/', { allowedRecipients: BOB.id }, sendOf()],
		['decimals', 503, 'service-error', 'decimals()', limit('9'), sendOf()],
		['the standard', 500, 'service-error', '0x80ac58cd', limit('9'), sendOf()],
		[
			...(['an ERC-1155 contract', 503, 'service-error', '0xd9b67a26'] as const),
			...([
				limit('9'),
				write('safeTransferFrom(address,address,uint256,uint256,bytes)', [
					ALICE.id,
					EVE,
					'1',
					'1',
					'0x',
				]),
			] as const),
		],
		[
			'an approval taken back',
			503,
			'service-error',
			'decimals()',
			limit('9'),
			write('approve(address,uint256)', [EVE, '0']),
		],
	])('of %s, with %d', async (_of, status, code, part, policy, call) => {
		let asked = 0;
		// The node itself looks up the recipient, decimals and symbol for the item.
		const own = call.resource === 'token' && part !== '0x80ac58cd' ? 1 : 0;
		node.service.script = ({ path, body }) =>
			`${path} ${body}`.includes(part) && asked++ >= own
				? json({ error: 'no' }, status)
				: undefined;
		const error = await refusal({ ...call, options }, policy);
		expect(error).toMatchObject({ code, outcome: 'refused' });
		expect(error.message).toMatch(
			/could not be checked, rule "(Allowed Recipients|Token Limits per Execution)": .* cannot be looked up/,
		);
		expect(error.hint).toMatch(/^Nothing was sent\. /);
	});

	test('and the next try of the node sends it', async () => {
		let asked = 0;
		node.service.script = ({ path }) =>
			path.includes(BOB.id) && ++asked === 2 ? json({}, 503) : undefined;
		expect(await run({}, { allowedRecipients: BOB.id })).toMatchObject([SENT]);
		expect(node.service.writes).toHaveLength(1);
	});

	test('except of a user whom the service does not know: no limit allows them', async () => {
		const policy = { allowedRecipients: `DISCORD-404\n${BOB.id}` };
		expect(await run({ recipient: BOB.address }, policy)).toMatchObject([SENT]);
		node.service.reset();
		const error = await refusal(sendOf({ recipient: EVE }), policy);
		expect(error).toMatchObject({ code: 'policy-refused' });
		expect(error.message).toContain('the user "DISCORD-404" cannot be looked up');
	});
});

describe('each attempt is judged by facts of its own', () => {
	const LATER = { status: 429, headers: { 'retry-after': '0' } };

	test('a listed recipient whose wallet has changed meanwhile is a new recipient', async () => {
		for (const recipient of [BOB.id, BOB.address]) {
			node.service.reset();
			node.service.profiles[BOB.id] = BOB;
			node.service.script = ({ path }) => {
				if (path === WRITE) node.service.profiles[BOB.id] = { ...BOB, address: CAROL };
				return undefined;
			};
			node.service.answer(LATER, LATER);
			const [item] = await run({ recipient }, { allowedRecipients: BOB.id });
			expect(item).toMatchObject({ details: { code: 'policy-refused', outcome: 'refused' } });
			expect(node.service.writes).toHaveLength(1);
		}
	});

	test('decimals that have changed meanwhile are read, and the amount is counted by them', async () => {
		node.service.script = ({ path }) => {
			if (path === WRITE) node.service.reports({ decimals: 5 });
			return undefined;
		};
		node.service.answer(LATER);
		const items = [{ to: CAROL }, { to: CAROL }];
		const changes = write('transfer(address,uint256)', [CAROL, '600000']);
		const [first, second] = await run(changes, limit('11'), { items });
		expect(first).toMatchObject(SENT);
		expect(second?.error).toMatch(/already counts 6 .* would move 6 .* more; the limit is 11/);
	});

	test('a look-up that fails before a later attempt leaves the write refused', async () => {
		let isDown = false;
		node.service.script = ({ path }) => {
			if (path === WRITE) isDown = true;
			return isDown && path.includes(BOB.id) ? LOST : undefined;
		};
		node.service.answer(LATER, done(1));
		const changes = { options: { maxTries: 2 } };
		const [item] = await run(changes, { allowedRecipients: BOB.id });
		expect(item).toMatchObject({ details: { code: 'service-error', outcome: 'refused' } });
		expect(node.service.writes).toHaveLength(1);
	});
});

describe('300 listed users', () => {
	const users = Array.from({ length: 300 }, (_, index) => ({
		id: `DISCORD-${1000 + index}`,
		address: `0x${(1000 + index).toString(16).padStart(40, '0')}`,
	}));
	const policy = { allowedRecipients: users.map(({ id }) => id).join('\n') };
	const profiles = () =>
		node.service.asked('/v1/users/DISCORD-1').filter((path) => !path.includes('balance'));

	beforeEach(() => {
		for (const user of users) node.service.profiles[user.id] = user;
	});

	test('only the receiver is looked up if the call has a user ID', async () => {
		const items = users.slice(0, 3).map(({ id }) => ({ id }));
		await run({ recipient: '={{ $json.id }}' }, policy, { items });
		// Once for the item, and once for the policy.
		expect(profiles().toSorted()).toEqual(
			items.flatMap(({ id }) => [id, id]).map((id) => `/v1/users/${id}`),
		);
	});

	test('for an address, all are looked up together, once per run, and the receiver for each write', async () => {
		const waiting: (() => void)[] = [];
		// The first four are answered only when they are in flight together.
		node.service.script = async ({ path }) => {
			if (path.includes('DISCORD-1') && waiting.length < 4)
				await new Promise<void>((resolve) => {
					waiting.push(resolve);
					if (waiting.length === 4) for (const answer of waiting) answer();
				});
			return undefined;
		};
		const items = users.slice(290, 293).map(({ address }) => ({ address }));
		const sent = await run({ recipient: '={{ $json.address }}' }, policy, { items });
		expect(sent).toMatchObject([SENT, SENT, SENT]);
		expect(profiles()).toHaveLength(300 + 3);
	});

	test.each([3, 20])('in a checked list of %d, too', async (count) => {
		const items = users.slice(0, count).map(({ address }) => ({ address }));
		const call = { recipient: '={{ $json.address }}' };
		expect(await run(call, policy, { items, node: {} })).toHaveLength(count);
		const asked = profiles();
		expect(new Set(asked).size).toBe(300);
		// All when the list is checked, and the receiver again before each write.
		expect(asked).toHaveLength(300 + count);
	});
});
