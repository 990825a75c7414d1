import type { WalletStates } from '../../../nodes/WalletService/trigger/state.ts';
import { readState, writeState } from '../../../nodes/WalletService/trigger/state.ts';

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
	['a text', 'state'],
])('%s is a new start', (_name, stored) => {
	expect(readState(stored, 'this').size).toBe(0);
});

test.each([
	['keys that are none', { transfers: { known: [1], floor: 0, gap: false } }],
	['no floor', { transfers: { known: [], gap: false } }],
	['a balance that is none', { balance: { balance: '1.5', side: 'above' } }],
	['no side', { balance: { balance: '15' } }],
	['no value', { value: { isMet: true } }],
	['a value that is neither met nor not', { value: { answer: '5', isMet: 'yes' } }],
	['no object', 'wallet'],
])('a wallet with %s starts anew, the others do not', (_name, wallet) => {
	const wallets = { ...Object(written.wallets), 'DISCORD-1': wallet };
	const read = readState({ ...written, wallets }, 'this');
	expect(read.get('DISCORD-1')).toEqual({});
	expect(read.get('CHESS-anna/k b')?.transfers?.known).toEqual(['a', 'a']);
});
