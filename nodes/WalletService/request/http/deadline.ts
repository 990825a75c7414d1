import type { IPollFunctions } from 'n8n-workflow';

interface Cancellable extends Pick<IPollFunctions, 'getNode'> {
	/** A poll has none. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/** The signal that the execution is cancelled. */
export function executionSignal(context: Cancellable): AbortSignal | undefined {
	return context.getExecutionCancelSignal?.();
}

/**
 * The signal of one request: its time is up, or the execution is cancelled. The HTTP client's own timeout only notices
 * silence; an answer that drips would never end.
 *
 * @param cancel the execution's own signal
 * @param timeoutMs how long the request may take as a whole, in milliseconds
 */
export function requestSignal(cancel: AbortSignal | undefined, timeoutMs: number): AbortSignal {
	const deadline = AbortSignal.timeout(timeoutMs);
	return cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
}
