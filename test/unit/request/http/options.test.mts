/** The settings of requests: their defaults and bounds are those of the form. */
import {
	connection,
	readRequestSettings,
} from '../../../../nodes/WalletService/request/http/options.ts';
import { succeeds } from '../../support/refusal.mts';

const [{ values: settings }] = connection.options;

test('defaults are those of the form', () => {
	const form = Object.fromEntries(settings.map((one) => [one.name, one.default]));
	const whole = { connection: { settings: form } };
	expect(readRequestSettings({}, whole)).toEqual(readRequestSettings({}));
	expect(readRequestSettings({})).toEqual({
		concurrency: undefined,
		maxTries: 4,
		timeoutMs: 60_000,
		retryForMs: 120_000,
	});
});

describe.each(['concurrency', 'maxTries', 'retryFor', 'timeout'])('%s', (name) => {
	test.each<[string, (given: object) => unknown]>([
		['in the credential', (given) => readRequestSettings({}, { connection: { settings: given } })],
		['of a saved workflow', readRequestSettings],
	])('%s has the bounds of the form', (_where, read) => {
		const found = settings.find((one) => one.name === name);
		const { minValue = NaN, maxValue = NaN } = found?.typeOptions ?? {};
		const around = [minValue - 1, minValue, maxValue, maxValue + 1];
		const taken = around.map((value) => succeeds(() => read({ [name]: value })));
		expect(taken).toEqual([false, true, true, false]);
	});
});
