import { sleep } from 'n8n-workflow';

import { monotonicMs } from '../../values/clock';

const SLICE_MS = 250;

/**
 * Waits for a time, in milliseconds, or until shortly after the execution is cancelled.
 *
 * @example await pause(60_000, AbortSignal.abort()) // undefined
 */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = monotonicMs() + milliseconds;
	// In slices, because n8n's `sleep` cannot be interrupted, and its lint rules forbid `setTimeout` in nodes.
	for (let left = milliseconds; left > 0 && signal?.aborted !== true; left = end - monotonicMs()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}
