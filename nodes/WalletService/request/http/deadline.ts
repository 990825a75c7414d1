import { sleep } from 'n8n-workflow';

import { monotonicMs } from '../../values/clock';
import { ServiceError } from '../failure/service-error';

const SLICE_MS = 250;

/**
 * Makes one request with a signal that aborts it at its deadline, or when the execution is cancelled. The HTTP client's
 * own timeout only detects inactivity; an answer that arrives byte by byte would never end.
 *
 * `AbortSignal.any` is not used, because it keeps 3 KB per request until the deadline, even after the answer.
 *
 * @param cancel the cancel signal of the execution
 * @param timeoutMs maximum duration of the whole request, in milliseconds
 * @throws any error of the request, or that of `untilAborted`
 * @example await withDeadline(AbortSignal.abort(), 60_000, async ({ aborted }) => aborted) // true
 */
export async function withDeadline<T>(
	cancel: AbortSignal | undefined,
	timeoutMs: number,
	request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = new AbortController();
	const deadline = AbortSignal.timeout(timeoutMs);
	const sources = cancel === undefined ? [deadline] : [deadline, cancel];
	const abort = () => controller.abort();
	if (cancel?.aborted === true) abort();
	for (const source of sources) source.addEventListener('abort', abort);
	try {
		// n8n's client may leave an aborted request unsettled, and limits no renewal.
		return await Promise.race([request(controller.signal), untilAborted(controller.signal)]);
	} finally {
		for (const source of sources) source.removeEventListener('abort', abort);
	}
}

/**
 * Rejects when a request is aborted, as n8n's HTTP client does.
 *
 * @example await untilAborted(AbortSignal.abort()).catch(({ code }) => code) // 'ERR_CANCELED'
 */
export async function untilAborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_resolve, reject) => {
		const end = () => reject(Object.assign(new Error('Aborted'), { code: 'ERR_CANCELED' }));
		if (signal.aborted) end();
		signal.addEventListener('abort', end);
	});
}

/**
 * The failure of a request that n8n's time limit for a poll prevents.
 *
 * @example pollIsOver().details.code // 'not-sent'
 */
export function pollIsOver(): ServiceError {
	return new ServiceError({
		message: "n8n's time limit for a poll expired before the service could be queried",
		hint: 'Set a shorter Timeout in the credential, watch fewer users with one trigger, or raise the time limit in n8n',
		code: 'not-sent',
	});
}

/**
 * Waits until a promise is fulfilled or the execution is cancelled. n8n saves a cancelled execution at once, and its
 * *Retry* runs only a node that has ended by then: whatever a node waits for must not delay its end.
 *
 * @example await untilDone(new Promise(() => {}), AbortSignal.abort()) // undefined
 */
export async function untilDone(
	before: Promise<unknown>,
	cancel: AbortSignal | undefined,
): Promise<void> {
	await new Promise<void>((resolve) => {
		const stop = () => resolve();
		if (cancel?.aborted === true) stop();
		cancel?.addEventListener('abort', stop, { once: true });
		void before.then(() => {
			cancel?.removeEventListener('abort', stop);
			resolve();
		});
	});
}

/**
 * Waits for the given time, or until the execution is cancelled.
 *
 * @example await pause(60_000, AbortSignal.abort()) // undefined
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = monotonicMs() + milliseconds;
	// In slices, because n8n's `sleep` cannot be interrupted, and its lint rules forbid `setTimeout` in nodes.
	for (let left = milliseconds; left > 0 && signal?.aborted !== true; left = end - monotonicMs()) {
		await untilDone(sleep(Math.min(left, SLICE_MS)), signal);
	}
}
