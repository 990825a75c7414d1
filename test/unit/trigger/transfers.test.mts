/** The trigger's transfers: read from an answer, and each output once. For filters, see test/engine/history-list. */
import type { IDataObject } from 'n8n-workflow';

import {
	advanceTransfers,
	MAX_KNOWN,
	MIN_REMEMBERED,
} from '../../../nodes/WalletService/trigger/advance-transfers.ts';
import { readWatchedTransfers as readTransfers } from '../../../nodes/WalletService/trigger/watched-transfers.ts';
import { WalletOnChain } from '../support/trigger/wallet-on-chain.mts';

const WALLET = `0x${'ab'.repeat(20)}`;
const TOKEN = `0x${'cd'.repeat(20)}`;
const all = { matches: () => true, emitExisting: false };

const amountOf = (tokenAddress: string, hex = '0x0f4240') => {
	const valueBn = { type: 'BigNumber', hex };
	return { valueBn, formatted: 1, decimals: 6, symbol: 'SUSD', tokenAddress };
};

/** An entry as the service sends it (interface, section 2.4). */
function entry(hash: string, second: number, changes: IDataObject = {}): IDataObject {
	const to = { username: 'Nelly', platform: 'DISCORD', address: `0x${'AB'.repeat(20)}` };
	const timestamp = new Date(1_700_000_000_000 + second * 1000).toISOString();
	const explorerUrl = 'http://127.0.0.1/tx';
	const entry = { type: 'TRANSFER', to, amount: amountOf(TOKEN), timestamp, hash, explorerUrl };
	return { ...entry, ...changes };
}

test.each([
	['newest first', [entry('0x3', 3), entry('0x2', 2), entry('0x1', 1)]],
	['oldest first', [entry('0x1', 1), entry('0x2', 2), entry('0x3', 3)]],
	['mixed', [entry('0x3', 3), entry('0x1', 1), entry('0x2', 2)]],
	['also in a block', [entry('0x4', 2), entry('0x3', 1), entry('0x2', 1), entry('0x1', 1)]],
])('an answer that is sorted %s is read oldest first', (_order, answer) => {
	const hashes = readTransfers(answer).map(({ transfer }) => transfer.entry.hash);
	expect(hashes).toEqual(answer.map((_one, index) => `0x${index + 1}`));
});

test('a transfer is the same whatever the service may change later', () => {
	const [one] = readTransfers([entry('0xAb', 1)]);
	const renamed = { username: 'Nell', platform: 'DISCORD', address: WALLET };
	const changes = { to: renamed, explorerUrl: 'http://127.0.0.1/elsewhere' };
	const [other] = readTransfers([entry('0xab', 2, changes)]);
	expect(other?.key).toBe(one?.key);
});

test('token, recipient, amount and transaction distinguish transfers', () => {
	const changed = [
		entry('0x2', 1),
		entry('0x1', 1, { to: { address: TOKEN } }),
		entry('0x1', 1, { amount: amountOf(WALLET) }),
		entry('0x1', 1, { amount: amountOf(TOKEN, '0x01') }),
	];
	const keys = readTransfers([entry('0x1', 1), ...changed]).map(({ key }) => key);
	expect(new Set(keys).size).toBe(5);
});

test.each([
	['no list', { unexpected: [] }],
	['an invalid entry', [entry('0x1', 1), null]],
	['no hash', [entry('0x1', 1, { hash: undefined })]],
	// Half a character (a lone surrogate) has no UTF-8 form, so it cannot be part of a key.
	['half a character as hash', [entry('\ud800', 1)]],
	['half a character as token', [entry('0x1', 1, { amount: amountOf('\ud800') })]],
	['half a character as recipient', [entry('0x1', 1, { to: { address: '\ud800' } })]],
	['an invalid token', [entry('0x1', 1, { amount: amountOf('0x12') })]],
	['an invalid time', [entry('0x1', 1, { timestamp: 'yesterday' })]],
	['no amount', [entry('0x1', 1, { amount: {} })]],
	['no recipient', [entry('0x1', 1, { to: {} })]],
])('%s is refused as a whole', (_name, answer) => {
	expect(() => readTransfers(answer)).toThrow(/does not have the expected form/);
});

test('a possible gap followed by no match is reported with the next item', () => {
	const chain = new WalletOnChain();
	chain.addBlock([1, 2]);
	const rules = { matches: ({ value }: { value: bigint }) => value > 5n, emitExisting: false };
	let { state } = advanceTransfers(undefined, chain.window(2), rules);
	chain.addBlock([3, 4]);
	({ state } = advanceTransfers(state, chain.window(2), rules));
	chain.addBlock([6]);
	const step = advanceTransfers(state, chain.window(2), rules);
	expect(step).toMatchObject({ gapPossible: true, fresh: [{ value: 6n }] });
	chain.addBlock([7]);
	expect(advanceTransfers(step.state, chain.window(2), rules).gapPossible).toBe(false);
});

test('transfers from before the first answer remain old when the service lists more of them', () => {
	const chain = new WalletOnChain();
	for (let block = 0; block < 20; block++) chain.addBlock([block]);
	const { state } = advanceTransfers(undefined, chain.window(5), all);
	const step = advanceTransfers(state, chain.window(20), all);
	expect(step).toMatchObject({ fresh: [], gapPossible: false });
});

test('the state remains bounded for any size of the list, and nothing is returned twice', () => {
	const chain = new WalletOnChain();
	let state = advanceTransfers(undefined, [], all).state;
	let delivered = 0;
	for (let block = 0; block < 100; block++) {
		chain.addBlock(Array.from({ length: 50 }, (_one, index) => index % 40));
		const step = advanceTransfers(state, chain.window(4000), all);
		delivered += step.fresh.length;
		({ state } = step);
		expect(state.known.length).toBeLessThanOrEqual(MAX_KNOWN + MIN_REMEMBERED);
	}
	expect(delivered).toBe(5000);
	expect(advanceTransfers(state, [], all).state.known).toEqual(state.known);
});

test('of many transfers that left the window, the newest are remembered, which a stale answer can list again', () => {
	const windowOf = (first: number, last: number) =>
		Array.from({ length: last - first }, (_, at) => ({ key: `0x${first + at}`, time: first + at }));
	const first = advanceTransfers(undefined, windowOf(0, 300), all);
	const second = advanceTransfers(first.state, windowOf(250, 550), all);
	expect(second.fresh).toHaveLength(250);
	const stale = windowOf(250 - MIN_REMEMBERED, 500);
	expect(advanceTransfers(second.state, stale, all).fresh).toEqual([]);
});
