/** The records of writes: a write that n8n may repeat never counts as not sent. */
import type { Place } from '../../../../nodes/WalletService/writes/identity.ts';
import { WriteRecords } from '../../../../nodes/WalletService/writes/memory/write-records.ts';

const HOUR = 60 * 60 * 1000;
const shown = { contractAddress: '0x2', function: 'f()', args: [], value: '0' };
const call = { digest: '0x1', shown };
const submittedAt = '2026-01-02T03:04:05.678Z';
const answered = (hash: string) =>
	({ state: 'answered', call, answer: { hash }, submittedAt }) as const;
const unknown = { state: 'unknown', call, reason: 'cut', hashes: [] } as const;
const PLACE = { scope: 'execution 1', node: 'Pay', run: 0 };
const place = (item: number, more: Partial<Place> = {}): Place => ({ ...PLACE, item, ...more });

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
	const others = [{ run: 1 }, { node: 'Pay more' }, { scope: 'execution 2' }, { scope: {} }];
	const places = [place(2), place(4), ...others.map((other) => place(3, other))];
	expect(places.filter((other) => records.find(other))).toEqual([]);
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

test('calls without an execution are distinguished by their object', () => {
	const records = new WriteRecords();
	const one = place(0, { scope: {} });
	records.keep(one, answered('0xa'));
	expect(records.find(one)).toEqual(answered('0xa'));
	expect(records.find(place(0, { scope: {} }))).toBeUndefined();
	records.remove(one);
	expect(records.find(one)).toBeUndefined();
});

const LIMITS = { maxSize: 2000, maxIdleMs: HOUR };

/** An answer with a field that a shortened record lacks. */
const long = (hash: string, more = 'x'.repeat(100)) =>
	({ state: 'answered', call, answer: { status: 'SUCCESS', hash, more }, submittedAt }) as const;
const short = (hash: string) => ({ ...long(hash), answer: { status: 'SUCCESS', hash } });

test('beyond the bound the oldest answers shrink to status and hash, and no record is forgotten', () => {
	const records = new WriteRecords(LIMITS);
	const items = Array.from({ length: 40 }, (_, item) => item);
	items.forEach((item) => records.keep(place(item), long(`0x${item}`)));
	const found = items.map((item) => records.find(place(item)));
	const firstFull = found.findIndex((record) => JSON.stringify(record).includes('more'));
	expect(firstFull).toBeGreaterThan(5);
	const expected = items.map((item) => (item < firstFull ? short : long)(`0x${item}`));
	expect(found).toEqual(expected);
	expect(records.find(place(40))).toBeUndefined();
	expect(records.ofRun(place(0))).toHaveLength(40);
});

test('of a write of unknown outcome, reason and hashes stay; of a long call, contract and function', () => {
	const records = new WriteRecords({ maxSize: 0, maxIdleMs: HOUR });
	records.keep(place(0), { ...unknown, hashes: ['0xa'] });
	expect(records.find(place(0))).toEqual({ state: 'unknown', reason: 'cut', hashes: ['0xa'] });
	const longCall = { ...call, shown: { ...shown, args: ['x'.repeat(1000)] } };
	const earlier = { userId: 'DISCORD-1', earlierHashes: ['0xe'] };
	records.keep(place(1), { ...long('0xb'), ...earlier, call: longCall });
	const shortCall = { ...call, shown: { contractAddress: '0x2', function: 'f()' } };
	expect(records.find(place(1))).toEqual({ ...short('0xb'), ...earlier, call: shortCall });
});

test('nothing of 50,500 writes that do not fit counts as not sent when the node is run again', () => {
	const records = new WriteRecords({ maxSize: 1_000_000, maxIdleMs: HOUR });
	const items = Array.from({ length: 50_500 }, (_, item) => item);
	for (const item of items) records.keep(place(item), answered(`0x${item}`));
	expect(items.filter((item) => !records.find(place(item)))).toEqual([]);
});

/** Expects that the record of the first item is kept for a time in milliseconds, and no longer. */
function expectKeptFor(time: number, records: WriteRecords): void {
	now += time;
	records.keep(place(0, { scope: 'other' }), answered('0xb'));
	expect(records.find(place(0))).toEqual(answered('0xa'));
	now += 1;
	records.keep(place(1, { scope: 'other' }), answered('0xb'));
	expect(records.find(place(0))).toBeUndefined();
}

test('age counts from the last activity of the execution, not of the record', () => {
	const records = new WriteRecords(LIMITS);
	records.keep(place(0), answered('0xa'));
	// Eleven hours with a write every half hour.
	for (let item = 1; item < 23; item++) {
		now += HOUR / 2;
		records.keep(place(item, { node: 'Slow' }), unknown);
		records.remove(place(item, { node: 'Slow' }));
	}
	expectKeptFor(HOUR, records);
});

test('by default, for twenty-four hours', () => {
	const records = new WriteRecords();
	records.keep(place(0), answered('0xa'));
	expectKeptFor(24 * HOUR, records);
});

test('the kept record is a copy', () => {
	const records = new WriteRecords();
	const answer = { hash: '0xa' };
	records.keep(place(0), { state: 'answered', call, answer, submittedAt });
	answer.hash = '0xb';
	expect(records.find(place(0))).toMatchObject({ answer: { hash: '0xa' } });
});

describe('the bound is exact', () => {
	const SIZE = JSON.stringify(long('0xa')).length;
	const isFull = (record: unknown) => JSON.stringify(record).includes('more');
	const fullIn = (maxSize: number) => {
		const records = new WriteRecords({ maxSize, maxIdleMs: HOUR });
		// A record kept again counts once, a removed one not at all.
		[0, 0, 2, 1].forEach((item) => {
			records.keep(place(item), long('0xa'));
			records.remove(place(2));
		});
		return [0, 1].map((item) => isFull(records.find(place(item))));
	};

	test('what fits is kept in full, and one character less shortens one record', () => {
		expect(fullIn(2 * SIZE)).toEqual([true, true]);
		expect(fullIn(2 * SIZE - 1)).toEqual([false, true]);
	});
});
