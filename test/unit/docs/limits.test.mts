/** The numbers in docs/limits.md are those in the code. */
import {
	readRequestSettings,
	requestOptions,
} from '../../../nodes/WalletService/request/http/options.ts';
import { pauseMs, retryAfterMs } from '../../../nodes/WalletService/request/http/retry.ts';
import { pause } from '../../../nodes/WalletService/request/http/deadline.ts';
import { MAX_KEPT_CHARACTERS } from '../../../nodes/WalletService/values/caches.ts';
import {
	MAX_KNOWN,
	MIN_REMEMBERED,
	SMALLEST_WINDOW,
} from '../../../nodes/WalletService/trigger/new-transfer.ts';
import { parseAbi } from '../../../nodes/WalletService/contract/source/abi.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { redact } from '../../../nodes/WalletService/request/failure/redact.ts';
import { inBaseUnits, readWritten } from '../../../nodes/WalletService/values/amount.ts';
import { parseDecimals } from '../../../nodes/WalletService/values/decimal.ts';
import { parseJsonExact } from '../../../nodes/WalletService/values/json.ts';
import { quote } from '../../../nodes/WalletService/values/quote.ts';
import { MAX_USERS } from '../../../nodes/WalletService/values/user-id.ts';
import { UNKNOWN_CALL_MINUTES } from '../../../nodes/WalletService/writes/memory/process-memory.ts';
import { readDocument } from '../../support/docs/documents.mts';
import * as measured from '../support/docs/measured-limits.mts';
import { highest, highestTaken, MADE_CEILING } from '../support/docs/measured-limits.mts';
import { succeeds } from '../support/refusal.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const FOREVER = 1_000_000;

const count = (value: number): string => value.toLocaleString('en-US');

/** Bounds and default of a numeric option. */
const option = (name: string, unset?: string) => (): string => {
	const found = requestOptions.find(({ displayName }) => displayName === name);
	const { minValue, maxValue } = found?.typeOptions ?? {};
	return `${minValue} to ${maxValue}, ${unset ?? String(found?.default)} unless set`;
};
const isFound = readRequestSettings({}).concurrency === undefined;

/** Time for which a cancelled pause continues, in milliseconds. */
async function restOfPause(): Promise<number> {
	jest.useFakeTimers();
	const cancel = new AbortController();
	const start = Date.now();
	const ended = pause(HOUR, cancel.signal).then(() => Date.now() - start);
	cancel.abort();
	await jest.runAllTimersAsync();
	jest.useRealTimers();
	return await ended;
}

const isLeft = (token: string) => redact(token, `Bearer ${token}`) === token;

const LIMITS: Readonly<Record<string, () => string | Promise<string>>> = {
	Concurrency: option('Concurrency', isFound ? 'found by the node' : 'fixed'),
	'Max Tries': option('Max Tries'),
	'Give Up After (Seconds)': option('Give Up After (Seconds)'),
	'Timeout (Seconds)': option('Timeout (Seconds)'),
	'Answers kept for other items of the run': () => `${count(MAX_KEPT_CHARACTERS)} characters`,
	'First pause before another attempt': () => `${pauseMs(1, 0, 1)} ms`,
	'Longest pause before another attempt': () => `${pauseMs(FOREVER, 0, 1) / SECOND} s`,
	'Longest wait for a Retry-After': () =>
		`${Number(retryAfterMs({ 'retry-after': FOREVER })) / SECOND} s`,
	'Reaction time to a cancelled execution': async () => `${await restOfPause()} ms`,
	'Memory for records of writes': () => `${count(measured.memoryForRecords())} characters`,
	'How long an execution is remembered': () => `${measured.memoryOfExecution() / HOUR} h`,
	'How long a call of unknown outcome is blocked': () => `${UNKNOWN_CALL_MINUTES} min`,
	'Remembered calls of unknown outcome': () => count(measured.rememberedUnknownCalls()),
	'Decimal places of a coin or token': () => count(highestTaken(parseDecimals)),
	'Power of ten in an amount such as 1.5 * 10^6': () =>
		count(highestTaken((n) => inBaseUnits(readWritten(`1 * 10^${n}`)), MADE_CEILING)),
	'Digits of an integer in an answer': () =>
		count(highest((n) => /^\d+$/.test(String(parseJsonExact(`1e${n - 1}`))), MADE_CEILING)),
	'Length of an amount': () =>
		`${count(highestTaken((n) => readWritten('1'.repeat(n))))} characters`,
	'Length of text in a parameter': () => `${count(measured.lengthOfText('userId'))} characters`,
	'Length of a contract’s ABI, or of an argument': () =>
		`${count(measured.lengthOfText('contractAbi'))} characters`,
	'Functions of an ABI': () => count(highestTaken((n) => parseAbi('f()\n'.repeat(n)))),
	'Nested tuples': () =>
		count(
			highestTaken((n) => parseSignature(`f(${'('.repeat(n)}bool${')'.repeat(n)})`), MADE_CEILING),
		),
	'Nested lists': () =>
		count(highestTaken((n) => parseSignature(`f(bool${'[]'.repeat(n)})`), MADE_CEILING)),
	'Elements of a fixed-length list': () =>
		count(highestTaken((n) => parseSignature(`f(bool[${n}])`))),
	'The service’s own words in an error': () => `${measured.serviceWords()} characters`,
	'A value quoted in an error': () => `${quote('x'.repeat(FOREVER)).length} characters`,
	'Test of a credential': async () => `${(await measured.credentialTestTimeout()) / SECOND} s`,
	'Warning before a pasted token expires': () => `${measured.warningTime() / MINUTE} min`,
	'Pause after a sign-in has ended': () => `${measured.restOfSession() / SECOND} s`,
	'Remembered ended sign-ins': () => count(measured.rememberedSessions()),
	'Shortest access token removed from answers': () =>
		`${1 + highest((n) => isLeft('~'.repeat(n)), MADE_CEILING)} characters`,
	'Users of one trigger, or of one item': () => count(MAX_USERS),
	'Remembered transfers of a wallet’s list': () => count(MAX_KNOWN),
	'Remembered transfers that left the list': () => count(MIN_REMEMBERED),
	'Shortest list that may be incomplete': () => count(SMALLEST_WINDOW),
};

test('every limit is documented with the number of the code, and no other', async () => {
	const { sections } = await readDocument('docs/limits.md');
	const rows = sections.flatMap((section) => rowsOf(section, 'Limit'));
	// The document uses straight apostrophes, as people usually type them.
	const documented = rows.map(({ Limit, Value }) => [
		Limit && textOf(Limit).replaceAll("'", '’'),
		Value && textOf(Value),
	]);
	const actual: [name: string, value: string][] = [];
	// Measured sequentially, because some measurements set the clock.
	for (const [name, measure] of Object.entries(LIMITS)) actual.push([name, await measure()]);
	expect(documented).toEqual(actual);
});

test('defaults are those of the form', () => {
	// The default of Concurrency in the form is only a suggestion.
	const others = requestOptions.filter(({ name }) => name !== 'concurrency');
	const form = Object.fromEntries(others.map((one) => [one.name, one.default]));
	expect(readRequestSettings({})).toEqual(readRequestSettings(form));
	expect(readRequestSettings({})).toMatchObject({ timeoutMs: 60_000, retryForMs: 120_000 });
});

test.each(['concurrency', 'maxTries', 'retryFor', 'timeout'])(
	'%s has the bounds of the form',
	(name) => {
		const isTaken = (value: number) => succeeds(() => readRequestSettings({ [name]: value }));
		const found = requestOptions.find((one) => one.name === name);
		const { minValue = NaN, maxValue = NaN } = found?.typeOptions ?? {};
		const around = [minValue - 1, minValue, maxValue, maxValue + 1];
		expect(around.map(isTaken)).toEqual([false, true, true, false]);
	},
);
