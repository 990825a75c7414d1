/** Sender: what was checked for one wallet is not paid from another. */
import type { IDataObject } from 'n8n-workflow';

import type { Username } from '../support/sandbox/service.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { OAuthAccount } from './support/oauth-account.mts';
import { replaysOf, rows } from './support/rows.mts';

const kept = new KeptWrites();
const { node } = kept;

const idOf = () => node.service.user().id;

/** A credential without a User ID, of which only the service knows whose it is. */
const nameless = (name?: Username) => ({ ...node.service.credential(name), userId: '' });

type Credential = Record<string, string>;

describe.each([
	['Token: Send', (wish: IDataObject) => kept.pay('1.5', wish)],
	['Contract: Write', (wish: IDataObject) => kept.write(wish)],
] as const)('%s', (_name, given) => {
	const run = async (sender: string, credential: Credential, more: IDataObject = {}) =>
		await node.run(
			{ ...given({ sender }), ...more },
			{ items: [{ own: idOf(), none: null }], credential },
		);

	test.each<[string, string, () => Credential]>([
		['of the credential', '={{ $json.own }}', () => node.service.credential()],
		['whom the service names', '={{ $json.own }}', () => nameless()],
	])('pays for the user %s', async (_what, sender, credential) => {
		const [count, { items }] = await kept.transactionsOf(
			async () => await run(sender, credential()),
			1,
		);
		expect(count).toBe(1);
		expect(items[0]?.json).toMatchObject({ submitted: true });
	});

	test.each<[string, string, () => Credential, string]>([
		[
			'another user’s credential',
			'={{ $json.own }}',
			() => node.service.credential('Rahul Sen'),
			'The credential belongs to "GOOGLE-115842093764510827364", but "DISCORD-80351110224678912" is to pay',
		],
		[
			'another user’s token, of which the credential says nothing',
			'={{ $json.own }}',
			() => nameless('Rahul Sen'),
			'The credential belongs to "GOOGLE-115842093764510827364", but',
		],
		[
			'another user’s token under the right User ID',
			'={{ $json.own }}',
			() => ({ ...nameless('Rahul Sen'), userId: idOf() }),
			'The credential belongs to "GOOGLE-115842093764510827364", but',
		],
		[
			'the right token under another User ID',
			'={{ $json.own }}',
			() => ({ ...nameless(), userId: 'GOOGLE-115842093764510827364' }),
			'The credential belongs to "DISCORD-80351110224678912", but names "GOOGLE-115842093764510827364"',
		],
		[
			'a check that has named nobody',
			'={{ $json.none }}',
			() => node.service.credential(),
			'Sender: The expression returned nothing',
		],
		['a name', 'Nelly', () => node.service.credential(), '"Nelly" is not a user ID'],
	])('sends nothing, and shows no preview, for %s', async (_what, sender, credential, words) => {
		const [count, errors] = await kept.transactionsOf(async () => [
			(await run(sender, credential())).error,
			(await run(sender, credential(), { preview: true })).error,
		]);
		expect(count).toBe(0);
		for (const error of errors) expect(error?.message).toContain(words);
	});

	test('holds in a tool, also if a model names the user', async () => {
		const pays = async (name: Username, executionId?: string) =>
			await node.tool(
				given({ sender: "={{ $fromAI('payer') }}" }),
				{ payer: idOf() },
				{ credential: node.service.credential(name), executionId, node: 'Pay' },
			);
		const [count] = await kept.transactionsOf(async () => {
			for (const execution of [undefined, `sender ${kept.number}`])
				await expect(pays('Rahul Sen', execution)).rejects.toThrow(`"${idOf()}" is to pay`);
			expect(await pays('Nelly')).toMatchObject({ submitted: true, userId: idOf() });
		}, 1);
		expect(count).toBe(1);
	});

	test('names the user who pays, whatever User ID the credential has', async () => {
		const credential = { ...nameless(), userId: node.service.user('Rahul Sen').id };
		const { items } = await node.run(given({}), { items: [{}], credential });
		expect(items[0]?.json).toMatchObject({ submitted: true, userId: idOf() });
	});

	test('a preview with Simplify off names the user, also of an order that was paid', async () => {
		const order = { orderId: `sender ${kept.number}` };
		const preview = { ...given(order), preview: true, simplify: false };
		const [before] = await node.items(preview);
		await node.items(given(order));
		const [after] = await node.items(preview);
		expect([before?.userId, after?.userId]).toEqual([idOf(), idOf()]);
		expect(after).toMatchObject({ replayed: true });
	});
});

test.each([
	[0, (id: string) => `belongs to "${id}", but "${idOf()}" is to pay`],
	[1, () => 'this node has paid from another account in this execution'],
])('a Retry by another user’s credential pays nothing after %i payments', async (paid, words) => {
	const { id } = node.service.user('Rahul Sen');
	const pay = kept.pay('={{ $json.amount }}', { sender: idOf() });
	await kept.fault('PUT', { kind: 'failed', skip: paid, times: 1 });
	const [count, [error, marks]] = await kept.transactionsOf(async () => {
		const { run: retryOf } = await node.run(pay, { items: rows('1', '2') });
		const credential = node.service.credential('Rahul Sen');
		const { error } = await node.run(pay, { retryOf, credential });
		const { items } = await node.run(pay, { retryOf });
		return [error?.message, replaysOf(items)];
	}, 2);
	expect(error).toContain(words(id));
	expect(marks).toEqual([paid === 1, false]);
	expect(count).toBe(2);
});

test('the user of a sign-in counts, whatever User ID its credential has', async () => {
	const own = idOf();
	const other = node.service.user('Rahul Sen').id;
	const account = await OAuthAccount.connect(node.service);
	const pay = async (sender: string, userId: string) => {
		const given = { authentication: 'oAuth2', ...kept.pay('1.5', { sender }) };
		const credential = { ...account.credential, userId };
		const { items, error } = await node.run(given, { credential, node: account.node });
		return error?.message ?? items[0]?.json.submitted;
	};
	const answers = [
		await pay(own, ''),
		await pay(other, ''),
		await pay(other, other),
		await pay(own, other),
	];
	await account.door.close();
	expect(answers).toEqual([
		true,
		expect.stringContaining(`belongs to "${own}", but "${other}" is to pay`),
		expect.stringContaining(`belongs to "${own}", but "${other}" is to pay`),
		expect.stringContaining(`belongs to "${own}", but names "${other}"`),
	]);
});
