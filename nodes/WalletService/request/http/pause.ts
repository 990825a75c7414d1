import { sleep } from 'n8n-workflow';

const SLICE_MS = 250;

/** Waits, but not longer than until the execution is cancelled. */
export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	const end = Date.now() + milliseconds;
	// In slices, because n8n's sleep cannot be ended early, and its rules for nodes leave no other timer that waits.
	for (let left = milliseconds; left > 0 && signal?.aborted !== true; left = end - Date.now()) {
		await sleep(Math.min(left, SLICE_MS));
	}
}
