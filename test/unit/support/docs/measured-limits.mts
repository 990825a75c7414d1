/** The limits of the nodes, found by trying how far they go. */
import { parseAbi } from '../../../../nodes/WalletService/contract/source/abi.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import {
	expiryWarning,
	testWalletServiceApi,
} from '../../../../nodes/WalletService/methods/test-wallet-service-api.ts';
import { receive, successOf } from '../../../../nodes/WalletService/request/http/answer.ts';
import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import { parameterReader } from '../../../../nodes/WalletService/request/run/read-parameter.ts';
import { endedSignIns } from '../../../../nodes/WalletService/request/sign-in/sign-in.ts';
import { redact } from '../../../../nodes/WalletService/request/failure/redact.ts';
import { parseUserIds } from '../../../../nodes/WalletService/values/user-id.ts';
import { parseDecimals } from '../../../../nodes/WalletService/values/decimal.ts';
import { inBaseUnits, readWritten } from '../../../../nodes/WalletService/values/amount.ts';
import { parseJsonExact } from '../../../../nodes/WalletService/values/json.ts';

/** Whether something is done without an error. */
export function succeeds(action: () => unknown): boolean {
	try {
		action();
		return true;
	} catch {
		return false;
	}
}

/** Milliseconds, lengths and the like that are only written, not made. */
const CEILING = 2 ** 31;
/** For what is made to try it: without a limit in the code it must not fill the memory. */
const MADE_CEILING = 2 ** 14;

/**
 * The highest whole number that is still within a limit.
 *
 * @throws Error when there is no limit up to a ceiling.
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

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Runs something at a time, in milliseconds. */
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

/** The first moment at which a sign-in that has ended is tried again, in milliseconds. */
export function restOfSession(): number {
	const isQuiet = (time: number) => at(time, () => endedSignIns.get('credential') !== undefined);
	at(0, () => endedSignIns.set('credential', sessionEnd));
	return highest(isQuiet) + 1;
}

/** In milliseconds. */
export async function credentialTestTimeout(): Promise<number> {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	await Reflect.apply(testWalletServiceApi, {}, [{ data: {} }]);
	const [[milliseconds] = [NaN]] = timeout.mock.calls;
	timeout.mockRestore();
	return milliseconds;
}

/** How long before its end a token is warned of, in milliseconds. */
export function warningTime(): number {
	const exp = 2_000_000_000;
	const token = `x.${btoa(JSON.stringify({ exp }))}.x`;
	return highest((left) => expiryWarning(token, exp * 1000 - left) !== undefined);
}

/** The longest words of the service that an error holds, in characters. */
export function serviceWords(): number {
	const body = JSON.stringify({ error: 'x'.repeat(10_000) });
	try {
		const received = receive({ statusCode: 400, headers: {}, body }, undefined);
		successOf(received, '/v1/users/A-1');
	} catch (error) {
		if (error instanceof ServiceError) return error.details.serviceText?.length ?? 0;
	}
	throw new Error('The answer was taken for a success');
}

export const decimalPlaces = () => highest((value) => succeeds(() => parseDecimals(value)));

export const powerOfTen = () =>
	highest((power) => succeeds(() => inBaseUnits(readWritten(`1 * 10^${power}`))), MADE_CEILING);

export const digitsOfInteger = () =>
	highest((digits) => /^\d+$/.test(String(parseJsonExact(`1e${digits - 1}`))), MADE_CEILING);

export const lengthOfAmount = () =>
	highest((length) => succeeds(() => readWritten('1'.repeat(length))));

export const lengthOfText = (parameter: string) =>
	highest((length) => {
		const context = {
			getNode: () => ({}) as never,
			getNodeParameter: () => ' '.repeat(length) as never,
		};
		const read = parameterReader(context, []);
		return succeeds(() => read(parameter, ''));
	});

export const lengthOfSignature = () =>
	highest((length) => succeeds(() => parseSignature('f()'.padEnd(length))));

export const functionsOfAbi = () =>
	highest((length) => succeeds(() => parseAbi('f()\n'.repeat(length))));

const isSignature = (type: string) => succeeds(() => parseSignature(`f(${type})`));

export const nestedTuples = () =>
	highest((depth) => isSignature(`${'('.repeat(depth)}bool${')'.repeat(depth)}`), MADE_CEILING);

export const nestedLists = () =>
	highest((depth) => isSignature(`bool${'[]'.repeat(depth)}`), MADE_CEILING);

export const fixedLength = () => highest((length) => isSignature(`bool[${length}]`));

export const watchedUsers = () =>
	highest((count) => {
		const ids = numbers(count).map((id) => `A-${id}`);
		return succeeds(() => parseUserIds(ids, 'userIds'));
	}, MADE_CEILING);

export function shortestToken(): number {
	const isLeft = (token: string): boolean => redact(token, `Bearer ${token}`) === token;
	return 1 + highest((length) => isLeft('~'.repeat(length)), MADE_CEILING);
}
