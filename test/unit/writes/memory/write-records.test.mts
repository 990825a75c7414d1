/** What is remembered of writes: nothing that n8n may come to again counts as not sent because it was forgotten. */
import type { Place } from '../../../../nodes/WalletService/writes/place.ts';
import { WriteRecords } from '../../../../nodes/WalletService/writes/memory/write-records.ts';

const HOUR = 60 * 60 * 1000;
const call = {
	digest: '0x1',
	shown: { contractAddress: '0x2', function: 'f()', args: [], value: '0' },
};
const submittedAt = '2026-01-02T03:04:05.678Z';
const answered = (hash: string) =>
	({ state: 'answered', call, answer: { hash }, submittedAt }) as const;
const unknown = { state: 'unknown', call, reason: 'cut', hashes: [] } as const;
const place = (item: number, more: Partial<Place> = {}): Place => ({
	scope: 'execution 1',
	node: 'Pay',
	run: 0,
	item,
	...more,
});

let now = 0;
beforeEach(() => {
	now = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

test('a record is found at its own place only', () => {
	const records = new WriteRecords();
	records.keep(place(3), answered('0xa'));
	expect(records.find(place(3))).toEqual(answered('0xa'));
	for (const other of [
		place(2),
		place(4),
		place(3, { run: 1 }),
		place(3, { node: 'Pay more' }),
		place(3, { scope: 'execution 2' }),
		place(3, { scope: {} }),
	]) {
		expect(records.find(other)).toBeUndefined();
	}
});

test('a record is replaced, and removed', () => {
	const records = new WriteRecords();
	records.keep(place(0), unknown);
	records.keep(place(0), answered('0xa'));
	expect(records.find(place(0))).toEqual(answered('0xa'));
	records.remove(place(0));
	records.remove(place(1));
	records.remove(place(0, { scope: 'never' }));
	expect(records.find(place(0))).toBeUndefined();
});

test('calls that have no execution are told apart by their object', () => {
	const records = new WriteRecords();
	const [one, other] = [{}, {}];
	records.keep(place(0, { scope: one }), answered('0xa'));
	expect(records.find(place(0, { scope: one }))).toEqual(answered('0xa'));
	expect(records.find(place(0, { scope: other }))).toBeUndefined();
	records.remove(place(0, { scope: one }));
	expect(records.find(place(0, { scope: one }))).toBeUndefined();
});

const LIMITS = { maxSize: 2000, maxIdleMs: HOUR };

test('what had to be forgotten counts as unknown, for all places up to it, and for no other', () => {
	const records = new WriteRecords(LIMITS);
	const items = Array.from({ length: 40 }, (_, item) => item);
	items.forEach((item) => records.keep(place(item), answered(`0x${item}`)));
	const states = items.map((item) => records.find(place(item)));
	const firstKept = states.findIndex((record) => record?.state === 'answered');
	expect(firstKept).toBeGreaterThan(5);
	expect(firstKept).toBeLessThan(40);
	expect(states.slice(firstKept)).toEqual(
		items.slice(firstKept).map((item) => answered(`0x${item}`)),
	);
	for (const record of states.slice(0, firstKept)) {
		expect(record).toMatchObject({
			state: 'unknown',
			reason: expect.stringContaining('forgotten'),
		});
	}
	expect(records.find(place(40))).toBeUndefined();
	expect(records.find(place(0, { node: 'Pay more' }))).toBeUndefined();
	expect(records.find(place(0, { run: 1 }))).toBeUndefined();
});

test('in loops, too: an earlier run of the node is up to it', () => {
	const records = new WriteRecords(LIMITS);
	const runs = Array.from({ length: 40 }, (_, run) => run);
	runs.forEach((run) => records.keep(place(0, { run }), answered(`0x${run}`)));
	expect(records.find(place(0, { run: 0 }))).toMatchObject({ state: 'unknown' });
	expect(records.find(place(7, { run: 0 }))).toMatchObject({ state: 'unknown' });
	expect(records.find(place(0, { run: 39 }))).toEqual(answered('0x39'));
	expect(records.find(place(1, { run: 39 }))).toBeUndefined();
});

test('nothing of 50,500 writes that do not fit counts as not sent when the node is run again', () => {
	const records = new WriteRecords({ maxSize: 1_000_000, maxIdleMs: HOUR });
	for (let item = 0; item < 50_500; item++) records.keep(place(item), answered(`0x${item}`));
	let notSent = 0;
	for (let item = 0; item < 50_500; item++) notSent += records.find(place(item)) ? 0 : 1;
	expect(notSent).toBe(0);
});

test('large calls take their share: the bound is one of size', () => {
	const records = new WriteRecords({ maxSize: 100_000, maxIdleMs: HOUR });
	const large = {
		state: 'answered',
		call,
		answer: { hash: '0xa', data: 'x'.repeat(10_000) },
		submittedAt,
	} as const;
	for (let item = 0; item < 30; item++) records.keep(place(item), large);
	const kept = Array.from({ length: 30 }, (_, item) => records.find(place(item))?.state);
	expect(kept.filter((state) => state === 'answered')).toHaveLength(9);
	expect(kept.indexOf('answered')).toBe(21);
});

test('the executions that were active longest ago are forgotten first', () => {
	const records = new WriteRecords(LIMITS);
	const scopes = ['a', 'b', 'c'];
	scopes.forEach((scope) => records.keep(place(0, { scope }), answered(`0x${scope}`)));
	records.keep(place(1, { scope: 'a' }), answered('0xa1'));
	for (let item = 2; item < 18; item++) records.keep(place(item, { scope: 'c' }), answered('0xc'));
	const find = (scope: string) => records.find(place(0, { scope }))?.state;
	expect(find('b')).toBe('unknown');
	expect(records.find(place(17, { scope: 'c' }))?.state).toBe('answered');
	expect(records.find(place(9, { scope: 'd' }))).toBeUndefined();
});

test('age counts from the last activity of the execution, not of the record', () => {
	const records = new WriteRecords(LIMITS);
	records.keep(place(0), answered('0xa'));
	// Eleven hours of writes, one in every half hour.
	for (let item = 1; item < 23; item++) {
		now += HOUR / 2;
		records.keep(place(item, { node: 'Slow' }), unknown);
		records.remove(place(item, { node: 'Slow' }));
	}
	expect(records.find(place(0))).toEqual(answered('0xa'));
	now += HOUR;
	records.keep(place(0, { scope: 'other' }), answered('0xb'));
	expect(records.find(place(0))).toEqual(answered('0xa'));
	now += 1;
	records.keep(place(1, { scope: 'other' }), answered('0xb'));
	expect(records.find(place(0))).toBeUndefined();
});

test('by default, for twenty-four hours', () => {
	const records = new WriteRecords();
	records.keep(place(0), answered('0xa'));
	now += 24 * HOUR;
	records.keep(place(0, { scope: 'other' }), answered('0xb'));
	expect(records.find(place(0))).toEqual(answered('0xa'));
	now += 1;
	records.keep(place(1, { scope: 'other' }), answered('0xb'));
	expect(records.find(place(0))).toBeUndefined();
});

test('what idle executions took is free again', () => {
	const records = new WriteRecords(LIMITS);
	const fill = (scope: string) => {
		for (let item = 0; item < 10; item++) records.keep(place(item, { scope }), answered('0xa'));
	};
	fill('a');
	now += HOUR + 1;
	fill('b');
	expect(records.find(place(0, { scope: 'b' }))?.state).toBe('answered');
});

test('what is kept is a copy', () => {
	const records = new WriteRecords();
	const answer = { hash: '0xa' };
	records.keep(place(0), { state: 'answered', call, answer, submittedAt });
	answer.hash = '0xb';
	expect(records.find(place(0))).toMatchObject({ answer: { hash: '0xa' } });
});

describe('the bound is exact', () => {
	/** What one record takes. */
	const SIZE = '[0,0,"Pay"]'.length + JSON.stringify(answered('0xa')).length;
	const statesIn = (maxSize: number) => {
		const records = new WriteRecords({ maxSize, maxIdleMs: HOUR });
		[0, 1].forEach((item) => records.keep(place(item), answered('0xa')));
		return [0, 1].map((item) => records.find(place(item))?.state);
	};

	test('what fits is kept, and one character less forgets one record', () => {
		expect(statesIn(2 * SIZE)).toEqual(['answered', 'answered']);
		expect(statesIn(2 * SIZE - 1)).toEqual(['unknown', 'answered']);
	});

	test('an execution that is active again is not the next to be forgotten', () => {
		const records = new WriteRecords({ maxSize: 3 * SIZE, maxIdleMs: HOUR });
		const keep = (scope: string, item: number) =>
			records.keep(place(item, { scope }), answered('0xa'));
		keep('a', 0);
		keep('b', 0);
		keep('a', 1);
		keep('c', 0);
		const states = ['a', 'b', 'c'].map((scope) => records.find(place(0, { scope }))?.state);
		expect(states).toEqual(['answered', 'unknown', 'answered']);
	});
});
