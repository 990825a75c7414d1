/** The limits of what is remembered of writes, found by trying how far they go. */
import type { Place } from '../../../../nodes/WalletService/writes/identity.ts';
import { UnknownCalls } from '../../../../nodes/WalletService/writes/memory/memory.ts';
import { WriteRecords } from '../../../../nodes/WalletService/writes/memory/write-records.ts';

const HOUR = 60 * 60 * 1000;
const call = { digest: '', shown: {} };
const place = (scope: string, item = 0): Place => ({ scope, node: '', run: 0, item });

/** In characters of JSON, to the million. */
export function memoryForRecords(): number {
	const records = new WriteRecords();
	const million = {
		state: 'answered',
		call,
		answer: 'x'.repeat(999_000),
		submittedAt: '2026-01-02T03:04:05.678Z',
	} as const;
	const isKept = (item: number) =>
		JSON.stringify(records.find(place('1', item))).length > million.answer.length;
	for (let item = 0; item < 100; item++) {
		records.keep(place('1', item), million);
		if (!isKept(0)) return item * 1_000_000;
	}
	throw new Error('There is no bound up to 100 million');
}

/** In milliseconds. */
export function memoryOfExecution(): number {
	const records = new WriteRecords();
	const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
	records.keep(place('1'), { state: 'unknown', reason: '', hashes: [] });
	let hours = 0;
	while (records.find(place('1')) !== undefined && hours < 1000) {
		hours += 1;
		clock.mockReturnValue(hours * HOUR + 1);
		records.keep(place('other'), { state: 'unknown', reason: '', hashes: [] });
	}
	clock.mockRestore();
	return hours * HOUR;
}

export function rememberedUnknownCalls(): number {
	const calls = new UnknownCalls();
	const keys = Array.from({ length: 150_000 }, (_, index) => String(index));
	keys.forEach((key) => calls.set(key, { reason: '', hashes: [] }));
	return keys.filter((key) => calls.get(key) !== undefined).length;
}
