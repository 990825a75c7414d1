/** What holds for a time does so if the wall clock is set back or forward meanwhile; see also test/engine/moved-clock. */
import { PollHistory } from '../../../nodes/WalletService/trigger/poll-history.ts';
import { UnknownCalls } from '../../../nodes/WalletService/writes/ledger/process-memory.ts';

const HOUR = 3_600_000;

/** What holds, its duration in milliseconds, and a function that begins it and returns whether it still holds. */
const holds: [what: string, ms: number, begin: () => () => boolean][] = [
	['the block of a call of unknown outcome', HOUR, unknownCall],
	['a state of a trigger that n8n is saving', 30_000, savedState],
];

function unknownCall(): () => boolean {
	const calls = new UnknownCalls();
	calls.set('pay', { reason: 'cut', hashes: [] });
	return () => calls.get('pay') !== undefined;
}

function savedState(): () => boolean {
	const history = new PollHistory();
	history.noteGiven(5);
	return () => history.isOutdated(4);
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe.each([
	['back', -HOUR],
	['forward', HOUR],
])('with a clock that is set %s by an hour', (_name, byMs) => {
	test.each(holds)('%s holds for its duration', (_what, ms, begin) => {
		const isHolding = begin();
		jest.advanceTimersByTime(ms - 1);
		// Sets only the wall clock: Jest's timers and monotonic clock continue unchanged.
		jest.setSystemTime(Date.now() + byMs);
		expect(isHolding()).toBe(true);
		jest.advanceTimersByTime(1);
		expect(isHolding()).toBe(false);
	});
});
