import type { Observation } from '../../../nodes/WalletService/trigger/observation.ts';
import { advanceWallets } from '../../../nodes/WalletService/trigger/observation.ts';

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
