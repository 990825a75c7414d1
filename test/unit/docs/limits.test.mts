/** The numbers of docs/limits.md are those of the code. */
import {
	readRequestSettings,
	requestOptions,
} from '../../../nodes/WalletService/request/http/options.ts';
import { pauseMs, retryAfterMs } from '../../../nodes/WalletService/request/http/retry.ts';
import { pause } from '../../../nodes/WalletService/request/http/deadline.ts';
import { MAX_KEPT_CHARACTERS } from '../../../nodes/WalletService/values/caches.ts';
import {
	MAX_KNOWN,
	MAX_REMEMBERED,
	SMALLEST_WINDOW,
} from '../../../nodes/WalletService/trigger/new-transfer.ts';
import { quote } from '../../../nodes/WalletService/values/quote.ts';
import { MAX_USERS } from '../../../nodes/WalletService/values/user-id.ts';
import { UNKNOWN_CALL_MINUTES } from '../../../nodes/WalletService/writes/memory/process-memory.ts';
import { readDocument } from '../../support/docs/documents.mts';
import * as measured from '../support/docs/measured-limits.mts';
import { succeeds } from '../support/refusal.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const FOREVER = 1_000_000;

const count = (value: number): string => value.toLocaleString('en-US');

/** A number of Options: its bounds and its default. */
const option = (name: string, unset?: string) => (): string => {
	const found = requestOptions.find(({ displayName }) => displayName === name);
	const { minValue, maxValue } = found?.typeOptions ?? {};
	return `${minValue} to ${maxValue}, ${unset ?? String(found?.default)} unless set`;
};
const isFound = readRequestSettings({}).concurrency === undefined;

/** How long a cancelled pause continues, in milliseconds. */
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
	'Decimal places of a coin or token': () => count(measured.decimalPlaces()),
	'Power of ten in an amount such as 1.5 * 10^6': () => count(measured.powerOfTen()),
	'Digits of an integer in an answer': () => count(measured.digitsOfInteger()),
	'Length of an amount': () => `${count(measured.lengthOfAmount())} characters`,
	'Length of text in a parameter': () => `${count(measured.lengthOfText('userId'))} characters`,
	'Length of a contract’s ABI, or of an argument': () =>
		`${count(measured.lengthOfText('contractAbi'))} characters`,
	'Functions of an ABI': () => count(measured.functionsOfAbi()),
	'Nested tuples': () => count(measured.nestedTuples()),
	'Nested lists': () => count(measured.nestedLists()),
	'Elements of a fixed-length list': () => count(measured.fixedLength()),
	'The service’s own words in an error': () => `${measured.serviceWords()} characters`,
	'A value quoted in an error': () => `${quote('x'.repeat(FOREVER)).length} characters`,
	'Test of a credential': async () => `${(await measured.credentialTestTimeout()) / SECOND} s`,
	'Warning before a pasted token expires': () => `${measured.warningTime() / MINUTE} min`,
	'Pause after a sign-in has ended': () => `${measured.restOfSession() / SECOND} s`,
	'Remembered ended sign-ins': () => count(measured.rememberedSessions()),
	'Shortest access token removed from answers': () => `${measured.shortestToken()} characters`,
	'Users of one trigger, or of one item': () => count(MAX_USERS),
	'Remembered transfers of a wallet’s list': () => count(MAX_KNOWN),
	'Remembered transfers that left the list': () => count(MAX_REMEMBERED),
	'Shortest list that may be incomplete': () => count(SMALLEST_WINDOW),
};

test('every limit is documented with the number of the code, and no other', async () => {
	const { sections } = await readDocument('docs/limits.md');
	const rows = sections.flatMap((section) => rowsOf(section, 'Limit'));
	// Typed with a straight apostrophe, as usual.
	const documented = rows.map(({ Limit, Value }) => [
		Limit && textOf(Limit).replaceAll("'", '’'),
		Value && textOf(Value),
	]);
	const actual: [name: string, value: string][] = [];
	// Sequentially: some of them set the clock.
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

test.each(['concurrency', 'maxTries', 'retryFor', 'timeout'])('%s is limited as shown', (name) => {
	const isTaken = (value: number) => succeeds(() => readRequestSettings({ [name]: value }));
	const found = requestOptions.find((one) => one.name === name);
	const { minValue = NaN, maxValue = NaN } = found?.typeOptions ?? {};
	const around = [minValue - 1, minValue, maxValue, maxValue + 1];
	expect(around.map(isTaken)).toEqual([false, true, true, false]);
});
