/** Find Transfer by the hash of a transaction that moves tokens several times: a fee, a payout, a swap, a batch. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from './support/answers.mts';
import type { ListedTransfer } from './support/scripted-world.mts';
import { ALICE, BOB, CAROL, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const FIND = { resource: 'history', operation: 'find' };
const HASH = hashOf(7);
const OTHER = `0x${'0e'.repeat(20)}`;
const ZERO = `0x${'00'.repeat(20)}`;

/** A transfer of the transaction: of millionths of a token, SUSD unless stated. */
const move = (units: number, address: string, token = TOKEN): ListedTransfer => {
	const valueBn = { type: 'BigNumber', hex: `0x${units.toString(16)}` };
	const symbol = token === TOKEN ? 'SUSD' : 'GOLD';
	const amount = { valueBn, decimals: 6, symbol, tokenAddress: token, chainId: 1 };
	return { hash: HASH, said: { to: { username: '', address }, amount } };
};

/** The only item, asserted to be the same in both ways of running the node. */
async function found(moves: ListedTransfer[], given: IDataObject, more: IDataObject = {}) {
	node.service.looks = [[{ hash: hashOf(8) }, ...moves]];
	const [item = {}] = await node.outputs({ ...FIND, ...more }, [{ hash: HASH, ...given }]);
	return item;
}
const summaryOf = async (...given: Parameters<typeof found>) => (await found(...given)).summary;

const FEE = [move(100_000, ZERO), move(900_000, BOB.address)];
const PAYOUT = [move(1e6, ALICE.address), move(2e6, BOB.address), move(3e6, CAROL)];
const SWAP = [move(5e6, OTHER), move(1e6, ALICE.address, OTHER)];
const TO_BOB = { tokenAddress: TOKEN, to: BOB.address, amount: '1' };

test.each<[string, ListedTransfer[], IDataObject, string]>([
	['a fee before the payment', FEE, TO_BOB, `0.9 SUSD to ${BOB.address}`],
	['a fee after the payment', FEE.toReversed(), TO_BOB, `0.9 SUSD to ${BOB.address}`],
	['the recipient in upper case', FEE, { to: `0x${'B2'.repeat(20)}` }, '0.9 SUSD to 0xb2b2'],
	['a payout, by its recipient', PAYOUT, { to: CAROL, amount: '1' }, `3 SUSD to ${CAROL}`],
	['a payout, by its amount', PAYOUT, { amount: '2.00' }, `2 SUSD to ${BOB.address}`],
	['a payout, by a user', PAYOUT, { recipient: BOB.id, amount: '1' }, `2 SUSD to ${BOB.address}`],
	['a swap, by its token', SWAP, { tokenAddress: OTHER }, '1 GOLD to 0xa1a1'],
	['a swap, by the own wallet', SWAP, { to: ALICE.address, amount: '5' }, '1 GOLD to 0xa1a1'],
	[
		'a swap, where the token decides before the recipient',
		SWAP,
		{ tokenAddress: TOKEN, to: ALICE.address, amount: '1' },
		`5 SUSD to ${OTHER}`,
	],
])('of %s, the transfer that fits the item best is named', async (_what, moves, given, words) => {
	const item = await found(moves, given);
	expect(item.summary).toContain(`Arrived: ${words}`);
	expect(item.summary).not.toContain('transfers');
	expect(item).toMatchObject({ seen: true, matchedBy: 'hash', hash: HASH });
	expect(`${String(item.amount)} ${String(item.symbol)} to ${String(item.toAddress)}`).toContain(
		words,
	);
});

const manyTo = (address: string, count: number) =>
	Array.from({ length: count }, (_one, index) => move((index + 1) * 1e6, address));

test.each<[string, ListedTransfer[], IDataObject, string]>([
	[
		'a payout',
		PAYOUT,
		{},
		`3 transfers: 1 SUSD to ${ALICE.address}, 2 SUSD to ${BOB.address}, 3 SUSD to ${CAROL}`,
	],
	[
		'a batch to one recipient',
		[...FEE.slice(0, 1), ...manyTo(BOB.address, 5)],
		{ to: BOB.address, tokenAddress: TOKEN, amount: '99' },
		`5 transfers: ${[1, 2, 3].map((n) => `${n} SUSD to ${BOB.address}`).join(', ')}, and 2 more`,
	],
	[
		'two equal payments',
		[move(1e6, BOB.address), move(1e6, BOB.address)],
		TO_BOB,
		`2 transfers: 1 SUSD to ${BOB.address}, 1 SUSD to ${BOB.address}`,
	],
	[
		'a payout behind a step that says nothing useful',
		PAYOUT,
		{ tokenAddress: 'SUSD', to: 'Rahul', amount: 'some', recipient: null },
		'3 transfers: ',
	],
	['a payout to an unknown user', PAYOUT, { recipient: 'X-404' }, '3 transfers: '],
])('of %s, all that fit equally well are counted and named', async (_what, moves, given, words) => {
	const item = await found(moves, given);
	expect(item.summary).toContain(`Arrived: ${words}`);
	// A field of only one of them would pass for the answer.
	const { amount, toAddress } = item;
	const isSame = new Set(moves.map((one) => JSON.stringify(one.said))).size === 1;
	expect(amount !== undefined && toAddress !== undefined).toBe(isSame);
	expect(item).toMatchObject({ seen: true, hash: HASH, timestamp: '2026-11-21T12:00:00.000Z' });
});

test('with Simplify off, the fields of only one of several transfers are left out', async () => {
	const item = await found(PAYOUT, {}, { simplify: false });
	expect(item).toMatchObject({ summary: expect.stringContaining('3 transfers'), hash: HASH });
	expect(item).not.toHaveProperty('to');
	expect(item).not.toHaveProperty('amount');
});

test('what the item says only prefers, what the node says is required', async () => {
	const required = { recipient: CAROL, amount: '3' };
	expect(await summaryOf(PAYOUT, TO_BOB, required)).toBe(`Arrived: 3 SUSD to ${CAROL}`);
	expect(await found(PAYOUT, TO_BOB, { amount: '4' })).toMatchObject({ seen: false });
	const [first] = PAYOUT;
	expect(await summaryOf(first ? [first] : [], TO_BOB)).toBe(`Arrived: 1 SUSD to ${ALICE.address}`);
});

test('a user of the item is looked up only to tell several transfers apart', async () => {
	await found(PAYOUT.slice(0, 1), { recipient: BOB.id });
	expect(node.service.asked(BOB.id)).toEqual([]);
});

test('the loop of Send and confirm keeps what the sending step said', async () => {
	const missed = await found([], TO_BOB);
	expect(missed).toMatchObject({ seen: false, ...TO_BOB, tokenAddress: TOKEN.toLowerCase() });
	expect(await summaryOf(FEE, missed)).toBe(`Arrived: 0.9 SUSD to ${BOB.address}`);
	const named = await found([], { recipient: BOB.id, amount: '1' });
	expect(await summaryOf(FEE, named)).toBe(`Arrived: 0.9 SUSD to ${BOB.address}`);
});
