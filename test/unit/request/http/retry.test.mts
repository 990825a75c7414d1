import { ServiceError } from '../../../../nodes/WalletService/request/failure/service-error.ts';
import { readRequestSettings } from '../../../../nodes/WalletService/request/http/options.ts';
import { withRetry } from '../../../../nodes/WalletService/request/http/retry.ts';

beforeEach(() => {
	jest.useFakeTimers();
	jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
	jest.restoreAllMocks();
	jest.useRealTimers();
});

/** The pauses between the tries of a request that always fails. */
async function pausesAfter(retryAfterMs: number | undefined): Promise<number[]> {
	const pauses: number[] = [];
	const rules = {
		settings: readRequestSettings({ maxTries: 4 }),
		cancel: undefined,
		onPause: (_failure: ServiceError, milliseconds: number) => void pauses.push(milliseconds),
	};
	const start = Date.now();
	const details = {
		message: 'busy',
		hint: '',
		code: 'rate-limited',
		isTransient: true,
		retryAfterMs,
	} as const;
	const ended = withRetry(rules, async () => {
		throw new ServiceError(details);
	});
	const refused = expect(ended).rejects.toThrow('busy (tried 4 times)');
	await jest.runAllTimersAsync();
	await refused;
	expect(Date.now() - start).toBe(pauses.reduce((sum, pause) => sum + pause, 0));
	return pauses;
}

test.each([
	['says nothing', undefined, [250, 500, 1000]],
	['asks for no pause, or names a time gone by', 0, [250, 500, 1000]],
	['asks for a pause', 700, [700, 700, 1000]],
])(
	'a service that %s is not asked faster than the back-off allows',
	async (_name, ms, expected) => {
		expect(await pausesAfter(ms)).toEqual(expected);
	},
);
