import type { Observation } from '../../../nodes/WalletService/trigger/observation.ts';
import { advanceWallets, chainIdOf } from '../../../nodes/WalletService/trigger/observation.ts';
import type { WalletStates } from '../../../nodes/WalletService/trigger/state.ts';
import { readState, writeState } from '../../../nodes/WalletService/trigger/state.ts';

const MANY = 300_000;

/** A wallet with so many new transfers, a millisecond apart. */
function walletWith(count: number): Observation {
	const items = Array.from({ length: count }, (_, time) => ({ time, json: {} }));
	return { advance: () => ({ state: {}, items, mustBeSaved: false }), sample: () => undefined };
}

test('a list of any length is taken in', () => {
	const observations = new Map([
		['A-1', walletWith(MANY)],
		['B-2', walletWith(2)],
	]);
	const { items } = advanceWallets(new Map(), observations, ['A-1', 'B-2']);
	expect(items.length).toBe(MANY + 2);
	expect(items.slice(0, 4).map(({ time }) => time)).toEqual([0, 0, 1, 1]);
});

describe('the chain of a wallet', () => {
	/** A wallet of which the service names a chain, or none; what it gives is whether it starts anew. */
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

	test.each<[name: string, before: unknown[], now: unknown[], isNew: boolean]>([
		['the same', [1], [1], false],
		['the same, as text', [1], ['1'], false],
		['another', [1], [2], true],
		['none before', [], [2], false],
		['none now', [1], [], false],
		['what is no chain', [1], [{}], false],
		['several', [1], [1, 2], false],
	])('%s', (_name, before, now, isNew) => {
		const { after } = poll(new Map(), on(...before));
		const saved = readState(JSON.parse(JSON.stringify(writeState(after, 'w', 1))), 'w');
		expect(poll(saved, on(...now)).items).toMatchObject([{ json: { isNew } }]);
	});

	test('after an answer that names none, what comes is news and no new beginning', () => {
		const first = poll(new Map(), on(1)).after;
		const { after } = poll(first, on());
		expect(poll(after, on(2)).items).toMatchObject([{ json: { isNew: false } }]);
	});
});
