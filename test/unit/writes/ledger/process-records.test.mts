/** A process's memory of its writes: a write that n8n may repeat never counts as not sent. */
import type { Place } from '../../../../nodes/WalletService/writes/place.ts';
import { UnknownCalls } from '../../../../nodes/WalletService/writes/ledger/process-memory.ts';
import type { WriteRecord } from '../../../../nodes/WalletService/writes/ledger/process-records.ts';
import { WriteRecords } from '../../../../nodes/WalletService/writes/ledger/process-records.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let now = 0;
beforeEach(() => {
	now = 1_000_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

// `moved-clock.test.mts` tests the duration.
test('a call of unknown outcome is blocked from its last attempt until an answer; other calls are not', () => {
	const calls = new UnknownCalls();
	const call = { reason: 'cut', hashes: ['0xa'] };
	calls.set('pay', call, 0);
	calls.set('pay', call, 30 * MINUTE);
	expect(calls.get('pay', 80 * MINUTE)).toMatchObject(call);
	expect(calls.get('pay more', 80 * MINUTE)).toBeUndefined();
	calls.delete('pay');
	expect(calls.get('pay', 80 * MINUTE)).toBeUndefined();
});

const shown = { contractAddress: '0x2', function: 'f()', args: [], value: '0' };
const call = { digest: '0x1', shown };
const submittedAt = '2026-01-02T03:04:05.678Z';
const answered = (hash: string) =>
	({ state: 'answered', call, answer: { hash }, submittedAt }) as const;
const unknown = { state: 'unknown', call, reason: 'cut', hashes: [] } as const;
const PLACE = { scope: 'execution 1', node: 'Pay', run: 0 };
const place = (item: number, more: Partial<Place> = {}): Place => ({ ...PLACE, item, ...more });

let records: WriteRecords;
beforeEach(() => (records = new WriteRecords()));

/** The key of a place, in these tests. */
const keyOf = ({ node, run, item }: Place) => `${node} ${run}/${item}`;
const keep = (at: Place, record: WriteRecord, equal?: string) =>
	records.keep({ place: at, key: keyOf(at), input: '5f', call: '0x1', equal }, record);
const find = (at: Place) => records.find(at.scope, keyOf(at));
const remove = (at: Place) => records.remove(at.scope, keyOf(at));

test('a record is found at its own place only', () => {
	keep(place(3), answered('0xa'));
	expect(find(place(3))).toEqual(answered('0xa'));
	const others = [{ run: 1 }, { node: 'Pay more' }, { scope: 'execution 2' }, { scope: {} }];
	const places = [place(2), place(4), ...others.map((other) => place(3, other))];
	expect(places.filter((other) => find(other))).toEqual([]);
});

test.each([
	['an execution', 'execution 1'],
	['a call without one, known by its object', {}],
])('a record of %s is replaced, and removed', (_whose, scope) => {
	const one = place(0, { scope });
	keep(one, unknown);
	keep(one, answered('0xa'));
	expect(find(one)).toEqual(answered('0xa'));
	expect(find(place(0, { scope: {} }))).toBeUndefined();
	remove(one);
	remove(place(1, { scope }));
	remove(place(0, { scope: 'never' }));
	expect(find(one)).toBeUndefined();
});

const LIMITS = { maxSize: 2000, maxIdleMs: HOUR };

/** A record of an answer with a field that a shortened record lacks. */
const long = (hash: string, more = 'x'.repeat(100)) =>
	({ state: 'answered', call, answer: { status: 'SUCCESS', hash, more }, submittedAt }) as const;
const isFull = (record: unknown) => JSON.stringify(record).includes('more');
const short = (hash: string) => ({ ...long(hash), answer: { status: 'SUCCESS', hash } });

test('beyond the bound the oldest answers shrink to status and hash, and no record is forgotten', () => {
	records = new WriteRecords(LIMITS);
	const items = Array.from({ length: 40 }, (_, item) => item);
	items.forEach((item) => keep(place(item), long(`0x${item}`)));
	const found = items.map((item) => find(place(item)));
	const firstFull = found.findIndex(isFull);
	expect(firstFull).toBeGreaterThan(5);
	const expected = items.map((item) => (item < firstFull ? short : long)(`0x${item}`));
	expect(found).toEqual(expected);
	expect(find(place(40))).toBeUndefined();
	expect(records.ofNode(PLACE)).toHaveLength(40);
});

test('a write of unknown outcome keeps reason and hashes; a long call, contract and function', () => {
	records = new WriteRecords({ maxSize: 0, maxIdleMs: HOUR });
	keep(place(0), { ...unknown, hashes: ['0xa'] });
	expect(find(place(0))).toEqual({ state: 'unknown', reason: 'cut', hashes: ['0xa'] });
	const longCall = { ...call, shown: { ...shown, args: ['x'.repeat(1000)] } };
	const earlier = { userId: 'DISCORD-1', earlierHashes: ['0xe'] };
	keep(place(1), { ...long('0xb'), ...earlier, call: longCall });
	const shortCall = { ...call, shown: { contractAddress: '0x2', function: 'f()' } };
	expect(find(place(1))).toEqual({ ...short('0xb'), ...earlier, call: shortCall });
});

test('none of 50,500 writes, too many to keep in full, counts as not sent when the node runs again', () => {
	records = new WriteRecords({ maxSize: 1_000_000, maxIdleMs: HOUR });
	const items = Array.from({ length: 50_500 }, (_, item) => item);
	for (const item of items) keep(place(item), answered(`0x${item}`));
	expect(items.filter((item) => !find(place(item)))).toEqual([]);
});

test('age counts from the last activity of the execution, not of the record', () => {
	records = new WriteRecords(LIMITS);
	keep(place(0), answered('0xa'));
	now += HOUR;
	keep(place(1, { node: 'Slow' }), unknown);
	remove(place(1, { node: 'Slow' }));
	now += HOUR;
	keep(place(0, { scope: 'other' }), answered('0xb'));
	expect(find(place(0))).toEqual(answered('0xa'));
	now += 1;
	keep(place(1, { scope: 'other' }), answered('0xb'));
	expect(find(place(0))).toBeUndefined();
});

test('what a node has sent in an execution is listed, the oldest first', () => {
	keep(place(1), answered('0xa'));
	keep(place(0), unknown);
	keep(place(1), answered('0xb'));
	keep(place(0, { node: 'Slow' }), answered('0xc'));
	const listed = records.ofNode(PLACE);
	expect(listed.map(({ place: { item }, record: { state } }) => [item, state])).toEqual([
		[1, 'answered'],
		[0, 'unknown'],
	]);
	expect(listed[0]).toEqual({
		place: place(1),
		key: keyOf(place(1)),
		input: '5f',
		call: '0x1',
		record: answered('0xb'),
	});
	expect(records.ofNode({ ...PLACE, scope: 'other' })).toEqual([]);
});

test('equal submissions of other executions are found, the newest first', () => {
	keep(place(0), { ...answered('0xa'), execution: '1' }, 'equal');
	now += HOUR;
	keep(place(0, { scope: '2' }), { ...answered('0xb'), execution: '2' }, 'equal');
	keep(place(1, { scope: '2' }), { ...unknown, execution: '2' }, 'equal');
	const hashes = (execution: string, withinMs = DAY) =>
		records
			.equalCalls('equal', execution, withinMs)
			.map(({ read }) => (read() as { answer: { hash: string } }).answer.hash);
	expect([hashes('3'), hashes('1'), hashes('3', HOUR)]).toEqual([['0xb', '0xa'], ['0xb'], ['0xb']]);
	expect(records.equalCalls('other', '3', DAY)).toEqual([]);
});

test('the kept record is a copy', () => {
	const answer = { hash: '0xa' };
	keep(place(0), { state: 'answered', call, answer, submittedAt });
	answer.hash = '0xb';
	expect(find(place(0))).toMatchObject({ answer: { hash: '0xa' } });
});

test('what fits is kept in full, and one character less shortens one record', () => {
	const size = 2 * JSON.stringify(long('0xa')).length;
	for (const [maxSize, full] of [
		[size, [0, 1]],
		[size - 1, [1]],
	] as const) {
		records = new WriteRecords({ maxSize, maxIdleMs: HOUR });
		// A record that is stored twice counts once; a removed record does not count.
		for (const item of [0, 0, 2, 1]) {
			keep(place(item), long('0xa'));
			remove(place(2));
		}
		expect([0, 1].filter((item) => isFull(find(place(item))))).toEqual(full);
	}
});
