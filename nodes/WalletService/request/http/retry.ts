import { monotonicMs } from '../../values/clock';
import { settle } from '../../values/settle';
import { ServiceError } from '../failure/service-error';
import { pauseMs } from './backoff';
import type { RequestSettings } from './options';
import { pause } from './pause';

/** What decides whether and when a request is tried again. */
export interface RetryRules {
	readonly settings: Pick<RequestSettings, 'maxTries' | 'retryForMs'>;
	/** Deadline for the last try, in milliseconds of {@link monotonicMs}. */
	readonly endsAt?: number;
	/** The execution's own signal. */
	readonly cancel: AbortSignal | undefined;
	/** Called before every pause. */
	readonly onPause?: (failure: ServiceError, milliseconds: number) => void;
}

function afterTries(failure: ServiceError, tries: number): ServiceError {
	if (tries === 1) return failure;
	return failure.with({ message: `${failure.message} (tried ${tries} times)` });
}

/**
 * Calls `attempt` until it succeeds, fails permanently, has used up its tries or its time, or the execution is cancelled.
 * Written by hand: libraries wait with timers, which n8n forbids in nodes (see `pause`).
 *
 * @throws ServiceError of the last try; any other error at once.
 * @example await withRetry({ settings: readRequestSettings({}), cancel: undefined }, async () => 7) // 7
 */
export async function withRetry<T>(rules: RetryRules, attempt: () => Promise<T>): Promise<T> {
	const { settings, endsAt = Infinity, cancel, onPause } = rules;
	const end = Math.min(monotonicMs() + settings.retryForMs, endsAt);
	for (let tries = 1; ; tries++) {
		const result = await settle(attempt());
		if (result.status === 'fulfilled') return result.value;
		const error: unknown = result.reason;
		if (!(error instanceof ServiceError)) throw error;
		const wait = pauseMs(tries, error.details.retryAfterMs);
		const isOver = tries >= settings.maxTries || monotonicMs() + wait > end || cancel?.aborted;
		if (isOver || error.details.isTransient !== true) throw afterTries(error, tries);
		onPause?.(error, wait);
		await pause(wait, cancel);
		if (cancel?.aborted) throw afterTries(error, tries);
	}
}
