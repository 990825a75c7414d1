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

const { find, found, history, service } = useListedHistory();

test('behind Token: Send and Contract: Write nothing needs to be filled in', async () => {
	history.looks = [[{ hash: hashOf(7), second: 1 }, { hash: hashOf(3) }]];
	const written = { hash: hashOf(7).toUpperCase().replace('X', 'x'), submittedAt: SUBMITTED };
	expect(await found({}, [written])).toEqual([
		{
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
	expect(await found({ findBy: 'content' }, [content])).toMatchObject([
		{ seen: true, matchedBy: 'content', hash: hashOf(3) },
	]);
});

test('what is not listed is an item that says so, or an error that names the hash', async () => {
	history.looks = [[{ hash: hashOf(3), second: -121 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	expect(await found({}, input)).toEqual([
		{
			...{ seen: false, matchedBy: null, windowCovers: true },
			...{ hash: hashOf(7), submittedAt: SUBMITTED, userId: OWN.id },
		},
	]);
	const [unknown] = await found({}, [{ hash: hashOf(7) }]);
	expect(unknown).not.toHaveProperty('submittedAt');
	const failed = await find({ whenNotSeen: 'fail' }, input);
	expect(failed.error).toMatchObject({
		message: expect.stringContaining(`The transaction ${hashOf(7)} is not among the transfers`),
		context: { details: { code: 'not-seen', itemIndex: 0 } },
	});
	expect(failed.error?.description).toMatch(/never come. Look again later; do not send again/);
	const goingOn = await find({ whenNotSeen: 'fail' }, input, {
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
	expect(await found({}, [{ hash: hashOf(7) }])).toMatchObject([{ windowCovers: null }]);
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
	const output = await found({ findBy: 'content' }, input);
	expect(output.map(({ hash }) => hash).sort()).toEqual([
		hashOf(3),
		hashOf(3),
		hashOf(4),
		null,
		null,
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
	[{}, /Transaction Hash: The expression gives nothing/],
	[{ transactionHash: hashOf(1), findBy: 'name' }, /Find By: "name" is none of the choices/],
	[
		{ transactionHash: hashOf(1), waitUpTo: 301 },
		/Wait Up To .* no number of seconds from 0 to 300/,
	],
	[{ transactionHash: hashOf(1), waitUpTo: '={{ NaN }}' }, /Wait Up To/],
	[{ transactionHash: hashOf(1), whenNotSeen: 'stop' }, /When Not Seen: "stop" is none/],
	[{ transactionHash: hashOf(1), submittedAt: 'soon' }, /Submitted At: "soon" is not a time/],
	[{ transactionHash: hashOf(1), userId: 'A-1, B-2' }, /User ID: 2 users are given/],
	[
		{ findBy: 'content', token: TOKEN, recipient: OTHER.id, amount: '1' },
		/Submitted At: Without a time, an older transfer/,
	],
	[
		{ findBy: 'content', token: TOKEN, recipient: OTHER.id, amount: '1,5', submittedAt: SUBMITTED },
		/Amount: "1,5" has a comma/,
	],
])('%j is refused before anything is asked', async (parameters, message) => {
	history.looks = [[]];
	const { error } = await find(parameters);
	expect(error?.message).toMatch(message);
	expect(history.asked).toEqual([]);
});
