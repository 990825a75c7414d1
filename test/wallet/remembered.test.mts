/** Facts of the chain that the service remembers: strangers cannot fill its memory, and none is kept for ever. */
import { Remembered } from '../../service/src/chain/remembered.mts';

const LIMITS = { count: 2, ms: 1_000 };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Remembers the number of each reading. */
const counting = () => {
	let count = 0;
	return new Remembered(async () => ++count, LIMITS);
};

test('a fact is read once, and again when it is old', async () => {
	const facts = counting();
	expect([await facts.get('a'), await facts.get('a')]).toEqual([1, 1]);
	jest.advanceTimersByTime(LIMITS.ms);
	expect(await facts.get('a')).toBe(2);
});

test('beyond the limit, the oldest fact is forgotten', async () => {
	const facts = counting();
	for (const key of ['a', 'b', 'c']) await facts.get(key);
	expect([await facts.get('c'), await facts.get('b'), await facts.get('a')]).toEqual([3, 2, 4]);
});

test('a failed reading is repeated', async () => {
	let isBroken = true;
	const facts = new Remembered(async () => {
		if (isBroken) throw new Error('No answer');
		return 'read';
	}, LIMITS);
	await expect(facts.get('a')).rejects.toThrow('No answer');
	isBroken = false;
	expect(await facts.get('a')).toBe('read');
});
