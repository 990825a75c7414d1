/** A bounded number of values, each for a limited time. */
import { ExpiringMap } from '../../../nodes/WalletService/values/caches.ts';

test('without a time limit, a value is held until there are too many, and the oldest goes first', () => {
	const map = new ExpiringMap<number>({ maxEntries: 2, holdsForMs: Infinity });
	map.set('a', 1, 0);
	map.set('b', 2, 0);
	map.set('a', 3, 0);
	map.set('c', 4, 0);
	expect(map.get('a', Number.MAX_SAFE_INTEGER)).toBe(3);
	expect(map.get('b', 0)).toBeUndefined();
	expect(map.get('c', 0)).toBe(4);
});

test('a value that has expired makes room before one that has not', () => {
	const map = new ExpiringMap<number>({ maxEntries: 2, holdsForMs: 10 });
	map.set('old', 1, 0);
	map.set('young', 2, 5);
	map.set('new', 3, 10);
	expect(map.get('old', 5)).toBeUndefined();
	expect(map.get('young', 10)).toBe(2);
	expect(map.get('new', 10)).toBe(3);
	map.delete('new');
	expect(map.get('new', 10)).toBeUndefined();
});
