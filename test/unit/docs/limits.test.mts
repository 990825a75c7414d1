/** The numbers in docs/limits.md are those in the code, most of them found by experiment. */
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { MAX_WRITTEN_VALUES } from '../../../nodes/WalletService/contract/value-count.ts';
import {
	expiryWarning,
	testWalletServiceApi,
} from '../../../nodes/WalletService/methods/test-wallet-service-api.ts';
import { redact } from '../../../nodes/WalletService/request/failure/redact.ts';
import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import { receive, successOf } from '../../../nodes/WalletService/request/http/answer.ts';
import { MAX_ANSWER_BYTES } from '../../../nodes/WalletService/request/http/body.ts';
import { connection } from '../../../nodes/WalletService/request/http/options.ts';
import { pauseMs, retryAfterMs } from '../../../nodes/WalletService/request/http/retry.ts';
import { parameterReader } from '../../../nodes/WalletService/request/run/read-parameter.ts';
import { endedSignIns } from '../../../nodes/WalletService/request/sign-in/sign-in.ts';
import {
	MAX_PAGES,
	SMALLEST_WINDOW,
} from '../../../nodes/WalletService/resources/history/pages.ts';
import {
	MAX_KNOWN,
	MIN_REMEMBERED,
} from '../../../nodes/WalletService/trigger/advance-transfers.ts';
import { inBaseUnits, readWritten } from '../../../nodes/WalletService/values/amount.ts';
import type { ExpiringMap } from '../../../nodes/WalletService/values/caches.ts';
import { MAX_KEPT_CHARACTERS } from '../../../nodes/WalletService/values/caches.ts';
import { parseDecimals } from '../../../nodes/WalletService/values/decimal.ts';
import { parseJsonExact } from '../../../nodes/WalletService/values/json.ts';
import { quote } from '../../../nodes/WalletService/values/quote.ts';
import { MAX_USERS } from '../../../nodes/WalletService/values/user-id.ts';
import {
	UNKNOWN_CALL_MINUTES,
	UnknownCalls,
} from '../../../nodes/WalletService/writes/ledger/process-memory.ts';
import { WriteRecords } from '../../../nodes/WalletService/writes/ledger/process-records.ts';
import { readDocument } from '../../support/docs/documents.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';
import { succeeds } from '../support/refusal.mts';
import { parseAbi } from '../support/steps.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const FOREVER = 1_000_000;
/** Ceiling for constructed values, so that they do not fill the memory if the code has no limit. */
const MADE = 2 ** 14;

const count = (value: number): string => value.toLocaleString('en-US');

/** The highest whole number within a limit. @throws Error if there is no limit up to the ceiling */
function highest(isWithin: (value: number) => boolean, ceiling = 2 ** 31): number {
	let [within, beyond] = [0, 1];
	while (isWithin(beyond)) {
		if (beyond >= ceiling) throw new Error(`No limit was found up to ${ceiling}`);
		[within, beyond] = [beyond, 2 * beyond];
	}
	while (beyond - within > 1) {
		const middle = Math.floor((within + beyond) / 2);
		if (isWithin(middle)) within = middle;
		else beyond = middle;
	}
	return within;
}

const taken = (take: (value: number) => unknown, ceiling?: number): string =>
	count(highest((value) => succeeds(() => take(value)), ceiling));

const [{ values: settings }] = connection.options;

/** Bounds and default of a setting of the credential. */
const setting = (name: string) => (): string => {
	const found = settings.find(({ displayName }) => displayName === name);
	const { minValue, maxValue } = found?.typeOptions ?? {};
	return `${minValue} to ${maxValue}, ${String(found?.default)} unless set`;
};

const sent = (scope: string, item = 0) => {
	const place = { scope, node: '', run: 0, item };
	return { place, key: String(item), input: '', call: '' };
};

/** Size of the memory for records, in characters of JSON, measured in steps of a million. */
function memoryForRecords(): number {
	const records = new WriteRecords();
	const [call, submittedAt] = [{ digest: '', shown: {} }, '2026-01-02T03:04:05.678Z'];
	const answer = 'x'.repeat(999_000);
	for (let item = 0; item < 100; item++) {
		records.keep(sent('1', item), { state: 'answered', call, answer, submittedAt });
		const isKept = JSON.stringify(records.find('1', '0')).length > answer.length;
		if (!isKept) return item * 1_000_000;
	}
	return Infinity;
}

/** Hours for which the writes of an execution are remembered. */
function hoursOfMemory(): number {
	const clock = jest.spyOn(performance, 'now');
	const isRemembered = (hours: number) => {
		const records = new WriteRecords();
		for (const [scope, time] of Object.entries({ one: 0, other: hours * HOUR })) {
			clock.mockReturnValue(time);
			records.keep(sent(scope), { state: 'unknown', reason: '', hashes: [] });
		}
		return records.find('one', '0') !== undefined;
	};
	const hours = highest(isRemembered);
	clock.mockRestore();
	return hours;
}

/** The number of values that a map keeps. */
function keptBy<T>(map: ExpiringMap<T>, value: T): string {
	const keys = Array.from({ length: 150_000 }, (_, index) => String(index));
	keys.forEach((key) => map.set(key, value));
	return count(keys.filter((key) => map.get(key) !== undefined).length);
}

const sessionEnd = new ServiceError({ message: 'ended', hint: '', code: 'sign-in-ended' });

/** Time until an ended sign-in is tried again, in milliseconds. */
function restOfSession(): number {
	endedSignIns.set('credential', sessionEnd, 0);
	return highest((now) => endedSignIns.get('credential', now) !== undefined) + 1;
}

const lengthOfText = (parameter: string) => {
	const reader = (text: string) =>
		parameterReader({ getNode: () => ({}), getNodeParameter: () => text } as never, []);
	return taken((length) => reader(' '.repeat(length))(parameter, ''));
};

const answerOf = (body: string, statusCode = 200) =>
	receive({ statusCode, headers: {}, body }, undefined);

/** The service's own words in the error of a long answer. */
function serviceWords(): string {
	const body = JSON.stringify({ error: 'x'.repeat(10_000) });
	try {
		successOf(answerOf(body, 400), '/v1/users/A-1');
	} catch (error) {
		if (error instanceof ServiceError) return error.details.serviceText ?? '';
	}
	throw new Error('The answer was accepted as a success');
}

/** Time limit of the credential's test, in milliseconds. */
async function credentialTestTimeout(): Promise<number> {
	const timeout = jest.spyOn(AbortSignal, 'timeout');
	await Reflect.apply(testWalletServiceApi, {}, [{ data: {} }]);
	const [[milliseconds] = [NaN]] = timeout.mock.calls;
	timeout.mockRestore();
	return milliseconds;
}

/** Time between the warning and a token's expiry, in milliseconds. */
function warningTime(): number {
	const exp = 2_000_000_000;
	const token = `x.${btoa(JSON.stringify({ exp }))}.x`;
	return highest((left) => expiryWarning(token, exp * SECOND - left) !== undefined);
}

const isLeft = (token: string) => redact(token, `Bearer ${token}`) === token;

const LIMITS: Readonly<Record<string, () => string | Promise<string>>> = {
	Concurrency: setting('Concurrency'),
	'Max Tries': setting('Max Tries'),
	'Give Up After (Seconds)': setting('Give Up After (Seconds)'),
	'Timeout (Seconds)': setting('Timeout (Seconds)'),
	"Length of an answer that is a list or a contract's value": () =>
		`${count(MAX_ANSWER_BYTES.list)} bytes`,
	'Length of any other answer': () => `${count(MAX_ANSWER_BYTES.other)} bytes`,
	'Answers kept for other items of the run': () => `${count(MAX_KEPT_CHARACTERS)} characters`,
	'Pages of one history': () => count(MAX_PAGES),
	'First pause before another attempt': () => `${pauseMs(1, 0, 1)} ms`,
	'Longest pause before another attempt': () => `${pauseMs(FOREVER, 0, 1) / SECOND} s`,
	'Longest wait for a Retry-After': () =>
		`${Number(retryAfterMs({ 'retry-after': FOREVER })) / SECOND} s`,
	'Memory for records of writes': () => `${count(memoryForRecords())} characters`,
	'How long an execution is remembered': () => `${hoursOfMemory()} h`,
	'How long a call of unknown outcome is blocked': () => `${UNKNOWN_CALL_MINUTES} min`,
	'Remembered calls of unknown outcome': () =>
		keptBy(new UnknownCalls(), { reason: '', hashes: [] }),
	'Decimal places of a coin or token': () => taken(parseDecimals),
	'Power of ten in an amount such as 1.5 * 10^6': () =>
		taken((n) => inBaseUnits(readWritten(`1 * 10^${n}`)), MADE),
	'Digits of an integer in an answer': () =>
		count(highest((n) => /^\d+$/.test(String(parseJsonExact(`1e${n - 1}`))), MADE)),
	'Length of an amount': () => `${taken((n) => readWritten('1'.repeat(n)))} characters`,
	'Length of text in a parameter': () => `${lengthOfText('userId')} characters`,
	"Length of a contract's ABI, or of an argument": () =>
		`${lengthOfText('contractAbi')} characters`,
	'Values in the arguments of a write': () => count(MAX_WRITTEN_VALUES),
	'Entries of an ABI': () => taken((n) => parseAbi('f()\n'.repeat(n))),
	'Nested tuples': () =>
		taken((n) => parseSignature(`f(${'('.repeat(n)}bool${')'.repeat(n)})`), MADE),
	'Nested lists': () => taken((n) => parseSignature(`f(bool${'[]'.repeat(n)})`), MADE),
	'Elements of a fixed-length list': () => taken((n) => parseSignature(`f(bool[${n}])`)),
	'Nested levels of an answer': () =>
		taken((n) => successOf(answerOf(`${'['.repeat(n)}${']'.repeat(n)}`), '/v1/users/A-1'), MADE),
	"The service's own words in an error": () => `${serviceWords().length} characters`,
	'A value quoted in an error': () => `${quote('x'.repeat(FOREVER)).length} characters`,
	'Test of a credential': async () => `${(await credentialTestTimeout()) / SECOND} s`,
	'Warning before a pasted token expires': () => `${warningTime() / MINUTE} min`,
	'Pause after a sign-in has ended': () => `${restOfSession() / SECOND} s`,
	'Remembered ended sign-ins': () => keptBy(endedSignIns, sessionEnd),
	'Shortest access token removed from answers': () =>
		`${1 + highest((n) => isLeft('~'.repeat(n)), MADE)} characters`,
	'Users of one trigger, or of one item': () => count(MAX_USERS),
	"Remembered transfers of a wallet's list": () => count(MAX_KNOWN),
	'Remembered transfers that left the list': () => count(MIN_REMEMBERED),
	'Shortest list that may be incomplete': () => count(SMALLEST_WINDOW),
};

test('every limit is documented with the number of the code, and no other', async () => {
	const { sections } = await readDocument('docs/limits.md');
	const rows = sections.flatMap((section) => rowsOf(section, 'Limit'));
	const documented = rows.map(({ Limit, Value }) => [
		Limit && textOf(Limit),
		Value && textOf(Value),
	]);
	const actual: [name: string, value: string][] = [];
	// Measured sequentially, because some measurements set the clock.
	for (const [name, measure] of Object.entries(LIMITS)) actual.push([name, await measure()]);
	expect(documented).toEqual(actual);
});
