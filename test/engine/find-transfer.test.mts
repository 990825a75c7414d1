/** History: Find Transfer, in both ways in which n8n runs the node. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from './support/answers.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode, waited } from './support/use-node.mts';

const node = useNode();

const SUBMITTED = '2026-11-21T12:00:00.400Z';
const CHECKED_ONCE = { checkedFor: 0, checkedAt: expect.any(String) };
const BY_CONTENT = { options: { findBy: 'content' } };
/** Fields of a write, used to find the transfer to Bob. */
const CONTENT = { tokenAddress: TOKEN, to: BOB.address, amount: '12.5', submittedAt: SUBMITTED };

const parametersOf = (more: object): IDataObject => ({
	resource: 'history',
	operation: 'find',
	...more,
});
const find = async (more: object, items: IDataObject[] = [{}], settings: RunSettings = {}) =>
	await node.run(parametersOf(more), { items, ...settings });
/** The items, asserted to be the same in both ways of running the node. */
const found = async (more: object, items?: IDataObject[]) =>
	await node.outputs(parametersOf(more), items);

test('behind Token: Send and Contract: Write no field needs to be filled in', async () => {
	node.service.looks = [[{ hash: hashOf(7), second: 1 }, { hash: hashOf(3) }]];
	const written = { hash: hashOf(7).toUpperCase().replace('X', 'x'), submittedAt: SUBMITTED };
	expect(await found({}, [written])).toEqual([
		{
			summary: `Arrived: 12.5 SUSD to Rahul (${BOB.address.slice(0, 6)}…${BOB.address.slice(-4)})`,
			seen: true,
			matchedBy: 'hash',
			timestamp: '2026-11-21T12:00:01.000Z',
			direction: 'sent',
			amount: '12.5',
			symbol: 'SUSD',
			who: 'Rahul',
			explorerUrl: `http://127.0.0.1/tx/${hashOf(7)}`,
			toAddress: BOB.address,
			tokenAddress: TOKEN,
			hash: hashOf(7),
			userId: ALICE.id,
			windowCovers: false,
			...CHECKED_ONCE,
		},
	]);
	expect(await found(BY_CONTENT, [CONTENT])).toMatchObject([
		{ seen: true, matchedBy: 'content', hash: hashOf(3) },
	]);
});

test('a transfer is found by the page of its transaction', async () => {
	node.service.looks = [[{ hash: hashOf(7) }]];
	const transactionHash = `http://127.0.0.1/explorer/tx/${hashOf(7)}?tab=logs`;
	expect(await found({ transactionHash })).toMatchObject([
		{ seen: true, matchedBy: 'hash', hash: hashOf(7) },
	]);
});

test('a symbol in 32 bytes is text', async () => {
	const symbol = `0x4d4b52${'00'.repeat(29)}`;
	const amount = { valueBn: '5', decimals: 0, symbol, tokenAddress: TOKEN };
	node.service.looks = [[{ hash: hashOf(7), said: { amount } }]];
	const [item] = await found({}, [{ hash: hashOf(7) }]);
	expect(item).toMatchObject({ symbol: 'MKR', summary: 'Arrived: 5 MKR to Rahul (0xb2b2…b2b2)' });
});

test('a transfer that is not listed is an item with "seen": false, or an error with its hash', async () => {
	node.service.looks = [[{ hash: hashOf(3), second: -121 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	expect(await found({}, input)).toEqual([
		{
			summary: expect.stringMatching(
				/^Not found yet \(checked once\)\. (?!.*newer transfers).*do not resend/i,
			),
			seen: false,
			windowCovers: true,
			hash: hashOf(7),
			submittedAt: SUBMITTED,
			userId: ALICE.id,
			...CHECKED_ONCE,
		},
	]);
	const options = { ifNotFound: 'fail' };
	const { error } = await find({ options }, input);
	expect(error).toMatchObject({
		message: expect.stringContaining('Transaction 0x0000…0007: Not found yet (checked once)'),
		description: expect.stringMatching(/do not resend/i),
		context: { details: { code: 'not-seen', itemIndex: 0, hashes: [hashOf(7)] } },
	});
	const settings = { node: { onError: 'continueErrorOutput' } } as const;
	expect((await find({ options }, input, settings)).errorItems).toHaveLength(1);
});

// `unit/resources/find-transfer` tests `windowCovers` with lists of all kinds.
test('newer transfers may hide it unless an older one proves that the list covers its submission', async () => {
	node.service.looks = [[{ hash: hashOf(3), second: -119 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }, { hash: hashOf(7) }];
	const [known, unknown] = await found({}, input);
	const hidden = { seen: false, summary: expect.stringContaining('newer transfers') };
	expect(known).toMatchObject({ ...hidden, windowCovers: false });
	expect(unknown).toMatchObject(hidden);
	expect(unknown).not.toHaveProperty('windowCovers');
	expect(unknown).not.toHaveProperty('submittedAt');
});

test('the time of submission comes from the previous step, unless Submitted At states it', async () => {
	node.service.looks = [[{ hash: hashOf(3), second: -121 }]];
	const input = [{ hash: hashOf(7), submittedAt: SUBMITTED }];
	const submittedAt = SUBMITTED.replace('2026', '2016');
	expect(await found({ options: { submittedAt } }, input)).toMatchObject([{ windowCovers: false }]);
	const basic = '20261121T140000.400+02';
	expect(await found({ options: { submittedAt: basic } }, input)).toMatchObject([
		{ submittedAt: SUBMITTED },
	]);
	const later = '={{ $json.submittedAt.replace("2026", "2036") }}';
	expect(await found({ options: { submittedAt: later } }, input)).toMatchObject([
		{ submittedAt: SUBMITTED.replace('2026', '2036') },
	]);
});

test('it checks until the transfer is listed, once for all items, even if they exceed Concurrency', async () => {
	node.service.looks = [[], [{ hash: hashOf(1) }], [{ hash: hashOf(2) }, { hash: hashOf(1) }]];
	const input = [1, 2, 9].map((number) => ({ hash: hashOf(number), submittedAt: SUBMITTED }));
	const { items } = await find({ waitUpTo: 6, options: { concurrency: 1 } }, input);
	expect(
		items.map(({ json: item, pairedItem }) => [item.seen, item.checkedFor, pairedItem]),
	).toEqual([
		[true, waited(2), { item: 0 }],
		[true, waited(5), { item: 1 }],
		[false, waited(6), { item: 2 }],
	]);
	expect(node.service.asked('/history')).toHaveLength(4);
});

test.each([hashOf(3), ''])('a transfer found by content (hash %j) is output once', async (hash) => {
	node.service.looks = [[9, 4].map((second) => ({ hash, second }))];
	const one = { ...CONTENT, to: BOB.id, amount: '12.50' };
	const input = [one, one, one, { ...one, amount: '12.500001' }];
	expect(await found(BY_CONTENT, input)).toMatchObject([
		{ seen: true, timestamp: '2026-11-21T12:00:04.000Z' },
		{ seen: true, timestamp: '2026-11-21T12:00:09.000Z' },
		{ seen: false },
		{ seen: false },
	]);
});

test('a failed run names the failed item, not one that waited', async () => {
	const input = [{ hash: hashOf(1) }, { hash: hashOf(2) }, { hash: 'none' }];
	const { error } = await find({ waitUpTo: 30 }, input);
	expect(error).toMatchObject({ context: { details: { itemIndex: 2, code: 'invalid-input' } } });
});

const AT = { findBy: 'content', submittedAt: SUBMITTED };
const SOUGHT = { token: TOKEN, recipient: BOB.id, amount: '1' };
const BY_HASH = { transactionHash: hashOf(1) };

test.each<[parameters: object, parameter: string]>([
	[{ transactionHash: '0x12' }, 'Transaction Hash'],
	[{ options: AT }, 'Token'],
	// As n8n empties it when another credential is selected.
	[{ ...BY_HASH, token: { __rl: true, mode: 'list', value: '', cachedResultName: 'A' } }, 'Token'],
	[{ ...SOUGHT, ...BY_CONTENT }, 'Options: Submitted At'],
	[{ ...SOUGHT, amount: '1,5', options: AT }, 'Amount'],
	[{ ...BY_HASH, options: { findBy: 'name' } }, 'Options: Find By'],
	[{ ...BY_HASH, options: { ifNotFound: 'stop' } }, 'Options: If Not Found'],
	[{ ...BY_HASH, options: { submittedAt: 'soon' } }, 'Options: Submitted At'],
	[{ ...BY_HASH, waitUpTo: 301 }, 'Wait Up To (Seconds)'],
	[{ ...BY_HASH, waitUpTo: '={{ NaN }}' }, 'Wait Up To (Seconds)'],
	[{ ...BY_HASH, waitUpTo: '={{ [5] }}' }, 'Wait Up To (Seconds)'],
	[{ ...BY_HASH, waitUpTo: -1 }, 'Wait Up To (Seconds)'],
	[{ ...BY_HASH, userId: 'A-1, B-2' }, 'User ID'],
])('%j is refused before anything is sent', async (parameters, parameter) => {
	await node.refused(parametersOf(parameters), parameter);
});

test('the error of a missing hash states the remedy', async () => {
	const { error } = await find({}, [{ submitted: false }]);
	expect(error?.message).toMatch(/^Transaction Hash: /);
	expect(error?.description).toMatch(/Send tokens/);
});

test('a received transfer has no null fields', async () => {
	const to = { username: '', address: ALICE.address };
	node.service.looks = [[{ hash: hashOf(7), said: { to } }]];
	const [item = {}] = await found({}, [{ hash: hashOf(7) }]);
	const summary = `Arrived: 12.5 SUSD to ${ALICE.address}`;
	expect(item).toMatchObject({ direction: 'received', summary });
	expect(Object.values(item)).not.toContain(null);
});

test.each<[told: object, differs: string[]]>([
	[{ recipient: BOB.id, token: TOKEN, amount: '12.50' }, []],
	[{ amount: '12.6' }, ['amount']],
	[{ recipient: ALICE.id, amount: '0' }, []],
	[{ recipient: ALICE.id, amount: '12.5' }, ['amount']],
	[{ recipient: TOKEN }, ['recipient']],
	[{ token: BOB.address, amount: '9' }, ['token', 'amount']],
])('of a transaction with a payment and a fee of 0, %j differs in %j', async (told, differs) => {
	const fee = { to: { username: '', address: ALICE.address } };
	node.service.looks = [
		[{ hash: hashOf(7), hex: '0x00', said: fee }, { hash: hashOf(7) }, { hash: hashOf(8) }],
	];
	const given = { transactionHash: hashOf(7), ...told };
	const [item = {}] = await found(given);
	// A workflow of an earlier version has these fields without the choice that now shows them.
	expect(await found({ ...given, options: { findBy: 'payment' } })).toEqual([
		{ ...item, checkedAt: expect.any(String) },
	]);
	const isSeen = differs.length === 0;
	expect([item.seen, item.matchedBy]).toEqual(isSeen ? [true, 'hash'] : [false, undefined]);
	expect(item.differs ?? []).toEqual(differs);
	const options = { ifNotFound: 'fail' };
	const { error } = await find({ ...given, options });
	const listed = `is listed, but with a different ${differs.join(', ')} (`;
	expect(error?.message.includes(listed)).toBe(isSeen ? undefined : true);
	expect(error?.description?.includes('Compare it with')).toBe(isSeen ? undefined : true);
});

test('no field of the service replaces one of the node, even without Simplify', async () => {
	const verdict = { summary: 'Refused', seen: false, matchedBy: 'content' };
	const said = { ...verdict, windowCovers: true, checkedFor: -1, checkedAt: '' };
	node.service.looks = [[{ hash: hashOf(7), said }]];
	const [item = {}] = await found({ simplify: false }, [{ hash: hashOf(7) }]);
	expect(Object.entries(item).slice(0, 3)).toEqual([
		['summary', expect.stringMatching(/^Arrived: /)],
		['seen', true],
		['matchedBy', 'hash'],
	]);
	expect(item).toMatchObject({ hash: hashOf(7), to: { username: 'Rahul' } });
});

test.each(['FAILED', 'APPROVAL', 'PENDING', 'x'])('%s is not a transfer', async (type) => {
	node.service.looks = [[{ hash: hashOf(3), type }]];
	for (const findBy of ['hash', 'content']) {
		const input = [{ ...CONTENT, hash: hashOf(3) }];
		expect(await found({ options: { findBy } }, input)).toMatchObject([{ seen: false }]);
	}
});
