/** History: Find Transfer, in both ways in which n8n runs the node. */
import type { INodeParameters } from 'n8n-workflow';

import {
	hashOf,
	OTHER,
	OWN,
	SUBMITTED,
	TOKEN,
	useListedHistory,
} from './support/listed-history.mts';

const BY_CONTENT = { options: { findBy: 'content' } };

const { find, found, history, service } = useListedHistory();

test('behind Token: Send and Contract: Write nothing needs to be filled in', async () => {
	history.looks = [[{ hash: hashOf(7), second: 1 }, { hash: hashOf(3) }]];
	const written = { hash: hashOf(7).toUpperCase().replace('X', 'x'), submittedAt: SUBMITTED };
	expect(await found({}, [written])).toEqual([
		{
			summary: `Arrived: 12.5 SUSD to Rahul (${OTHER.address.slice(0, 6)}…${OTHER.address.slice(-4)})`,
			...{ seen: true, matchedBy: 'hash', timestamp: '2026-11-21T12:00:01.000Z' },
			...{ direction: 'sent', amount: '12.5', symbol: 'SUSD', who: 'Rahul' },
			...{ explorerUrl: `http://127.0.0.1/tx/${hashOf(7)}`, toAddress: OTHER.address },
			...{ tokenAddress: TOKEN, hash: hashOf(7), userId: OWN.id, windowCovers: false },
		},
	]);
	const content = {
		tokenAddress: TOKEN,
		to: OTHER.address,
		amount: '12.5',
		submittedAt: SUBMITTED,
	};
	expect(await found(BY_CONTENT, [content])).toMatchObject([
		{ seen: true, matchedBy: 'content', hash: hashOf(3) },
	]);
});

test('what is not listed is an item that says so, or an error that names the hash', async () => {
	history.looks = [[{ hash: hashOf(3), second: -121 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	expect(await found({}, input)).toEqual([
		{
			summary: 'Not found yet (checked once). It may be late. Do not send again because of this.',
			...{ seen: false, windowCovers: true },
			...{ hash: hashOf(7), submittedAt: SUBMITTED, userId: OWN.id },
		},
	]);
	const [unknown] = await found({}, [{ hash: hashOf(7) }]);
	expect(unknown).not.toHaveProperty('submittedAt');
	const options = { ifNotFound: 'fail' };
	const failed = await find({ options }, input);
	expect(failed.error).toMatchObject({
		message: expect.stringContaining('Transaction 0x0000…0007: Not found yet (checked once)'),
		context: { details: { code: 'not-seen', itemIndex: 0, hashes: [hashOf(7)] } },
	});
	expect(failed.error?.description).toMatch(/It may be late. Do not send again because of this/);
	const goingOn = await find({ options }, input, {
		node: { onError: 'continueErrorOutput' },
	});
	expect(goingOn.error).toBeUndefined();
});

test('the list reaches back to the submission only when an older transfer proves it', async () => {
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	for (const [listed, covers] of [
		[[], false],
		[[{ hash: hashOf(3), second: -119 }], false],
		[[{ hash: hashOf(3), second: -121 }], true],
	] as const) {
		history.looks = [[...listed]];
		expect(await found({}, input)).toMatchObject([{ seen: false, windowCovers: covers }]);
	}
	const [unknown] = await found({}, [{ hash: hashOf(7) }]);
	expect(unknown).not.toHaveProperty('windowCovers');
	expect(unknown?.summary).toContain(
		'It may be late, or newer transfers have pushed it out of the list.',
	);
});

test('it looks again until the transfer is listed, once for all items of a user', async () => {
	history.looks = [[], [{ hash: hashOf(1) }], [{ hash: hashOf(2) }, { hash: hashOf(1) }]];
	const input = [1, 2, 9].map((number) => ({ hash: hashOf(number), submittedAt: SUBMITTED }));
	const { items } = await find({ waitUpTo: 6 }, input);
	expect(items.map(({ json, pairedItem }) => [json.seen, json.checkedFor, pairedItem])).toEqual([
		[true, 2, { item: 0 }],
		[true, 5, { item: 1 }],
		[false, 6, { item: 2 }],
	]);
	expect(history.asked).toHaveLength(4);
});

test('more items than Concurrency wait together', async () => {
	history.looks = [[], []];
	const input = Array.from({ length: 30 }, (_, index) => ({ hash: hashOf(index + 1) }));
	const { items } = await find({ waitUpTo: 2, options: { concurrency: 1 } }, input);
	expect(items.map(({ json }) => json.seen)).toEqual(input.map(() => false));
	expect(history.asked).toHaveLength(2);
});

test('a transfer that was found by its content serves one item', async () => {
	history.looks = [
		[
			{ hash: hashOf(3), second: 9 },
			{ hash: hashOf(3), second: 9 },
			{ hash: hashOf(4), second: 8 },
		],
	];
	const content = { tokenAddress: TOKEN, to: OTHER.id, amount: '12.50', submittedAt: SUBMITTED };
	const input = [content, content, content, content, { ...content, amount: '12.500001' }];
	const output = await found(BY_CONTENT, input);
	expect(output.map(({ hash }) => hash).sort()).toEqual([
		hashOf(3),
		hashOf(3),
		hashOf(4),
		undefined,
		undefined,
	]);
	expect(output.at(-1)).toMatchObject({ seen: false });
});

test('a run that ends names the item that failed, not one that waited', async () => {
	history.looks = [[]];
	const input = [{ hash: hashOf(1) }, { hash: hashOf(2) }, { hash: 'none' }];
	const { error } = await find({ waitUpTo: 30 }, input);
	expect(error).toMatchObject({
		message: expect.stringContaining('no transaction hash'),
		context: { details: { itemIndex: 2, code: 'invalid-input' } },
	});
});

test('the cancelled run waits no longer', async () => {
	history.looks = [[]];
	let hasLooked = (): void => undefined;
	const looked = new Promise<void>((resolve) => (hasLooked = resolve));
	const { script } = service();
	service().script = async (request) => {
		hasLooked();
		return await script(request);
	};
	const parameters = { transactionHash: hashOf(1), waitUpTo: 300 };
	const { items } = await find(parameters, [{}], { cancelWhen: looked });
	expect(items).toEqual([]);
	expect(history.asked.length).toBeLessThan(3);
});

test.each<[parameters: INodeParameters, message: RegExp]>([
	[{ transactionHash: '0x12' }, /Transaction Hash: "0x12" is no transaction hash/],
	[{}, /Transaction Hash: There is no hash here$/],
	[
		{ options: { ...BY_CONTENT.options, submittedAt: SUBMITTED } },
		/Token: There is no token here$/,
	],
	[{ transactionHash: hashOf(1), options: { findBy: 'name' } }, /Options: Find By: "name" is none/],
	[
		{ transactionHash: hashOf(1), waitUpTo: 301 },
		/Wait Up To .* no number of seconds from 0 to 300/,
	],
	[{ transactionHash: hashOf(1), waitUpTo: '={{ NaN }}' }, /Wait Up To/],
	[
		{ transactionHash: hashOf(1), options: { ifNotFound: 'stop' } },
		/Options: If Not Found: "stop" is none/,
	],
	[
		{ transactionHash: hashOf(1), options: { submittedAt: 'soon' } },
		/Options: Submitted At: "soon" is not a time/,
	],
	[{ transactionHash: hashOf(1), userId: 'A-1, B-2' }, /User ID: 2 users are given/],
	[
		{ ...BY_CONTENT, token: TOKEN, recipient: OTHER.id, amount: '1' },
		/Options: Submitted At: Without a time, an older transfer/,
	],
	[
		{
			...{ token: TOKEN, recipient: OTHER.id, amount: '1,5' },
			options: { findBy: 'content', submittedAt: SUBMITTED },
		},
		/Amount: "1,5" has a comma/,
	],
])('%j is refused before anything is asked', async (parameters, message) => {
	history.looks = [[]];
	const { error } = await find(parameters);
	expect(error?.message).toMatch(message);
	expect(history.asked).toEqual([]);
});

test('a hash that the step before does not give is told with what to do', async () => {
	const { error } = await find({}, [{ submitted: false }]);
	expect(error?.description).toMatch(
		/^Put this step behind Send tokens, or switch the field to Fixed/,
	);
});

test('when it was submitted is taken from the step before, unless it is said', async () => {
	history.looks = [[{ hash: hashOf(3), second: -121 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	const later = { options: { submittedAt: '={{ $json.submittedAt.replace("2026", "2036") }}' } };
	const earlier = { options: { submittedAt: SUBMITTED.replace('2026', '2016') } };
	expect(await found({}, input)).toMatchObject([{ windowCovers: true }]);
	expect(await found(later, input)).toMatchObject([
		{ submittedAt: SUBMITTED.replace('2026', '2036') },
	]);
	expect(await found(earlier, input)).toMatchObject([{ windowCovers: false }]);
});

test('what was received has no red fields', async () => {
	const to = { username: '', address: OWN.address };
	history.looks = [[{ hash: hashOf(7), said: { to } }]];
	const [item = {}] = await found({}, [{ hash: hashOf(7) }]);
	expect(item).toMatchObject({
		direction: 'received',
		summary: `Arrived: 12.5 SUSD to ${OWN.address}`,
	});
	expect(Object.values(item)).not.toContain(null);
});
