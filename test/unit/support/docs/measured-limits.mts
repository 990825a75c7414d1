/** The limits of the nodes, found by experiment. */
import {
	expiryWarning,
	testWalletServiceApi,
} from '../../../../nodes/WalletService/methods/test-wallet-service-api.ts';
import { receive, successOf } from '../../../../nodes/WalletService/request/http/answer.ts';
import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import { parameterReader } from '../../../../nodes/WalletService/request/run/read-parameter.ts';
import { endedSignIns } from '../../../../nodes/WalletService/request/sign-in/sign-in.ts';
import type { Place } from '../../../../nodes/WalletService/writes/identity.ts';
import { UnknownCalls } from '../../../../nodes/WalletService/writes/memory/process-memory.ts';
import { WriteRecords } from '../../../../nodes/WalletService/writes/memory/write-records.ts';
import { succeeds } from '../refusal.mts';

/** Ceiling for plain numbers. */
const CEILING = 2 ** 31;
/** Ceiling for constructed values, so that they do not fill the memory if the code has no limit. */
export const MADE_CEILING = 2 ** 14;

/**
 * The highest whole number within a limit.
 *
 * @throws Error if there is no limit up to the ceiling.
 */
export function highest(isWithin: (value: number) => boolean, ceiling = CEILING): number {
	let beyond = 1;
	while (isWithin(beyond)) {
		if (beyond >= ceiling) throw new Error(`No limit was found up to ${ceiling}`);
		beyond *= 2;
	}
	let within = Math.floor(beyond / 2);
	while (beyond - within > 1) {
		const middle = Math.floor((within + beyond) / 2);
		if (isWithin(middle)) within = middle;
		else beyond = middle;
	}
	return within;
}

export const highestTaken = (take: (value: number) => unknown, ceiling?: number): number =>
	highest((value) => succeeds(() => take(value)), ceiling);

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Runs an action at a given time, in milliseconds. */
function at<T>(time: number, action: () => T): T {
	const clock = jest.spyOn(performance, 'now').mockReturnValue(time);
	const result = action();
	clock.mockRestore();
	return result;
}

const sessionEnd = new ServiceError({ message: 'ended', hint: '', code: 'sign-in-ended' });

export function rememberedSessions(): number {
	const ids = numbers(1_500).map((id) => `credential ${id}`);
	ids.forEach((id) => endedSignIns.set(id, sessionEnd));
	return ids.filter((id) => endedSignIns.get(id) !== undefined).length;
}

/** Time until an ended sign-in is tried again, in milliseconds. */
export function restOfSession(): number {
	const isQuiet = (time: number) => at(time, () => endedSignIns.get('credential') !== undefined);
	at(0, () => endedSignIns.set('credential', sessionEnd));
	return highest(isQuiet) + 1;
}

/** Time limit of the credential's test, in milliseconds. */
export async function credentialTestTimeout(): Promise<number> {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	await Reflect.apply(testWalletServiceApi, {}, [{ data: {} }]);
	const [[milliseconds] = [NaN]] = timeout.mock.calls;
	timeout.mockRestore();
	return milliseconds;
}

/** Time between the warning and a token's expiry, in milliseconds. */
export function warningTime(): number {
	const exp = 2_000_000_000;
	const token = `x.${btoa(JSON.stringify({ exp }))}.x`;
	return highest((left) => expiryWarning(token, exp * 1000 - left) !== undefined);
}

/** Maximum length of the service's words in an error, in characters. */
export function serviceWords(): number {
	const body = JSON.stringify({ error: 'x'.repeat(10_000) });
	try {
		const received = receive({ statusCode: 400, headers: {}, body }, undefined);
		successOf(received, '/v1/users/A-1');
	} catch (error) {
		if (error instanceof ServiceError) return error.details.serviceText?.length ?? 0;
	}
	throw new Error('The answer was accepted as a success');
}

export const lengthOfText = (parameter: string) =>
	highestTaken((length) => {
		const text = ' '.repeat(length);
		const context = { getNode: () => ({}), getNodeParameter: () => text };
		return parameterReader(context as never, [])(parameter, '');
	});

const HOUR = 60 * 60 * 1000;
const call = { digest: '', shown: {} };
const place = (scope: string, item = 0): Place => ({ scope, node: '', run: 0, item });

/** Size of the memory for records, in characters of JSON, measured in steps of a million. */
export function memoryForRecords(): number {
	const records = new WriteRecords();
	const answer = 'x'.repeat(999_000);
	const isKept = (item: number) =>
		JSON.stringify(records.find(place('1', item))).length > answer.length;
	for (let item = 0; item < 100; item++) {
		const submittedAt = '2026-01-02T03:04:05.678Z';
		records.keep(place('1', item), { state: 'answered', call, answer, submittedAt });
		if (!isKept(0)) return item * 1_000_000;
	}
	throw new Error('No bound was found up to 100 million');
}

/** Time for which the writes of an execution are remembered, in milliseconds. */
export function memoryOfExecution(): number {
	const records = new WriteRecords();
	const keep = (scope: string) =>
		records.keep(place(scope), { state: 'unknown', reason: '', hashes: [] });
	at(0, () => keep('1'));
	let hours = 0;
	while (records.find(place('1')) !== undefined && hours < 1000) {
		hours += 1;
		at(hours * HOUR + 1, () => keep('other'));
	}
	return hours * HOUR;
}

export function rememberedUnknownCalls(): number {
	const calls = new UnknownCalls();
	const keys = numbers(150_000).map(String);
	keys.forEach((key) => calls.set(key, { reason: '', hashes: [] }));
	return keys.filter((key) => calls.get(key) !== undefined).length;
}
