/** Caches: values that expire, and values that are computed once. */
import {
	ExpiringMap,
	MAX_KEPT_CHARACTERS,
	Once,
} from '../../../nodes/WalletService/values/caches.ts';

test('without a time limit, a value is held until there are too many, and the oldest goes first', () => {
	const map = new ExpiringMap<number>({ maxEntries: 2, holdsForMs: Infinity });
	[...'abac'].forEach((key, index) => map.set(key, index, 0));
	expect(map.get('a', Number.MAX_SAFE_INTEGER)).toBe(2);
	expect([map.get('b', 0), map.get('c', 0)]).toEqual([undefined, 3]);
});

test('a value that has expired makes room before one that has not', () => {
	const map = new ExpiringMap<number>({ maxEntries: 2, holdsForMs: 10 });
	map.set('old', 1, 0);
	map.set('young', 2, 5);
	map.set('new', 3, 10);
	expect([map.get('old', 5), map.get('young', 10), map.get('new', 10)]).toEqual([undefined, 2, 3]);
	map.delete('new');
	expect(map.get('new', 10)).toBeUndefined();
});

function made(size = 1) {
	const once = new Once();
	const times = new Map<string, number>();
	const get = async (key: string, mayForget = false, value?: Promise<string>) => {
		const make = async () => {
			times.set(key, (times.get(key) ?? 0) + 1);
			return await (value ?? Promise.resolve('x'.repeat(size)));
		};
		return await once.get(key, make, { mayForget });
	};
	return { get, times };
}

test('a value needed simultaneously or later is made once', async () => {
	const { get, times } = made();
	const [one, other] = await Promise.all([get('a', true), get('a', true), get('b')]);
	expect(other).toBe(one);
	expect(await get('a', true)).toBe(one);
	expect(await get('b')).toBe(one);
	expect(Object.fromEntries(times)).toEqual({ a: 1, b: 1 });
});

test('a failure is shared by everyone who waits for it, and by nobody later', async () => {
	const once = new Once();
	const make = jest.fn(async () => await Promise.resolve('made'));
	make.mockRejectedValueOnce(new Error('busy'));
	const both = await Promise.allSettled([once.get('a', make), once.get('a', make)]);
	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await once.get('a', make)).toBe('made');
	expect(make).toHaveBeenCalledTimes(2);
});

test('beyond the bound the oldest are forgotten, and made again', async () => {
	const { get, times } = made(MAX_KEPT_CHARACTERS / 4);
	for (const key of ['a', 'b', 'c', 'd', 'a', 'd']) await get(key, true);
	expect(Object.fromEntries(times)).toEqual({ a: 2, b: 1, c: 1, d: 1 });
});

test('what must be kept is never forgotten, and takes no space from others', async () => {
	const { get, times } = made(MAX_KEPT_CHARACTERS / 2);
	for (const key of ['state', 'other']) await get(key);
	for (const key of ['a', 'b', 'c', 'c', 'state', 'other', 'a']) await get(key, key.length === 1);
	expect(Object.fromEntries(times)).toEqual({ state: 1, other: 1, a: 2, b: 1, c: 1 });
});

test('a value larger than the bound is returned, but not kept', async () => {
	const { get, times } = made(MAX_KEPT_CHARACTERS);
	await Promise.all([get('a', true), get('a', true)]);
	await get('a', true);
	expect(times.get('a')).toBe(2);
});

test('a value in the making is not made again when others are forgotten, and later ones are kept', async () => {
	const { get, times } = made();
	const large = 'x'.repeat(MAX_KEPT_CHARACTERS);
	const { promise: slow, resolve: end } = Promise.withResolvers<string>();
	const first = get('slow', true, slow);
	await get('large', true, Promise.resolve(large));
	const second = get('slow', true, slow);
	end(large);
	expect(await second).toBe(await first);
	for (const key of ['small', 'small']) await get(key, true);
	expect(Object.fromEntries(times)).toEqual({ slow: 1, large: 1, small: 1 });
});
