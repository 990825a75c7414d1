/** A trigger's memory of its wallets between polls. */
import type { IPollFunctions } from 'n8n-workflow';

import type { WalletStates } from '../../../nodes/WalletService/trigger/state.ts';
import { readState, writeState } from '../../../nodes/WalletService/trigger/state.ts';
import type { Observation } from '../../../nodes/WalletService/trigger/observation.ts';
import { advanceWallets, chainIdOf } from '../../../nodes/WalletService/trigger/observation.ts';
import { historyOf } from '../../../nodes/WalletService/trigger/poll-history.ts';

const states: WalletStates = new Map([
	['CHESS-anna/k b', { address: '0xab', transfers: { known: ['a', 'a'], floor: 7, gap: true } }],
	['DISCORD-1', { balance: { balance: 2n ** 200n, side: 'below' as const } }],
	['GOOGLE-2', {}],
	['0x12', { value: { answer: { x: ['1', true] }, isMet: true } }],
]);

test('a state survives being kept as JSON', () => {
	const stored: unknown = JSON.parse(JSON.stringify(writeState(states, 'this', 1)));
	const read = readState(stored, 'this');
	expect([...read.keys()]).toEqual([...states.keys()]);
	for (const [userId, state] of states) expect(read.get(userId)).toMatchObject(state);
});

const written = writeState(states, 'this', 1);

test.each([
	['nothing', undefined],
	['a state of something else', { ...written, watched: 'that' }],
	['a state of another version', { ...written, version: 2 }],
	['a state without wallets', { ...written, wallets: 'none' }],
	['text', 'state'],
])('%s is a new start', (_name, stored) => {
	expect(readState(stored, 'this').size).toBe(0);
});

test.each([
	['invalid keys', { transfers: { known: [1], floor: 0, gap: false } }],
	['no floor', { transfers: { known: [], gap: false } }],
	['an invalid balance', { balance: { balance: '1.5', side: 'above' } }],
	['no side', { balance: { balance: '15' } }],
	['no value', { value: { isMet: true } }],
	['a value that is neither met nor not', { value: { answer: '5', isMet: 'yes' } }],
	['no object', 'wallet'],
])('a wallet with %s starts again, the others do not', (_name, wallet) => {
	const wallets = { ...Object(written.wallets), 'DISCORD-1': wallet };
	const read = readState({ ...written, wallets }, 'this');
	expect(read.get('DISCORD-1')).toEqual({});
	expect(read.get('CHESS-anna/k b')?.transfers?.known).toEqual(['a', 'a']);
});

const MANY = 300_000;

/** A wallet with new transfers, a millisecond apart. */
function walletWith(count: number): Observation {
	const items = Array.from({ length: count }, (_, time) => ({ time, json: {} }));
	return { advance: () => ({ state: {}, items, mustBeSaved: false }), sample: () => undefined };
}

test('lists of any length are read', () => {
	const observations = new Map([
		['A-1', walletWith(MANY)],
		['B-2', walletWith(2)],
	]);
	const { items } = advanceWallets(new Map(), observations, ['A-1', 'B-2']);
	expect(items.length).toBe(MANY + 2);
	expect(items.slice(0, 4).map(({ time }) => time)).toEqual([0, 0, 1, 1]);
});

describe('the chain of a wallet', () => {
	/** A wallet with the chain IDs of an answer; its item shows whether the state is new. */
	const on = (...chainIds: unknown[]): Observation => ({
		chainId: chainIdOf(chainIds),
		advance: ({ value }) => ({
			state: { value: { answer: 7, isMet: false } },
			items: [{ time: 0, json: { isNew: value === undefined } }],
			mustBeSaved: false,
		}),
		sample: () => undefined,
	});
	const poll = (states: WalletStates, observation: Observation) =>
		advanceWallets(states, new Map([['A-1', observation]]), ['A-1']);

	test.each<[name: string, isNew: boolean, now: unknown[], ...before: unknown[][]]>([
		['the same', false, [1], [1]],
		['the same, as text', false, ['1'], [1]],
		['another', true, [2], [1]],
		['none before', false, [2], []],
		['none now', false, [], [1]],
		['an invalid chain', false, [{}], [1]],
		['several', false, [1, 2], [1]],
		['another after none', false, [2], [1], []],
	])('%s', (_name, isNew, now, ...before) => {
		const saved = before.reduce<WalletStates>((states, chainIds) => {
			const { after } = poll(states, on(...chainIds));
			return readState(JSON.parse(JSON.stringify(writeState(after, 'w', 1))), 'w');
		}, new Map());
		expect(poll(saved, on(...now)).items).toMatchObject([{ json: { isNew } }]);
	});
});

// `moved-clock.test.mts` tests the duration.
test('a state is outdated until n8n has saved its replacement', () => {
	const ofNode = (name: string) => {
		const context = { getWorkflow: () => ({ id: 'W' }), getNode: () => ({ name }) };
		return historyOf(context as unknown as IPollFunctions);
	};
	const history = ofNode('one');
	history.noteGiven(5);
	expect(ofNode('one')).toBe(history);
	expect(ofNode('another').isOutdated(4)).toBe(false);
	expect([4, 5, 6].map((revision) => history.isOutdated(revision))).toEqual([true, false, false]);
});
