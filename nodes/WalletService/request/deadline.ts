import type { IPollFunctions } from 'n8n-workflow';

interface Cancellable extends Pick<IPollFunctions, 'getNode'> {
	/** A poll has none. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
}

/** The execution's own signals, by the contexts that have a deadline. */
const executionSignals = new WeakMap<object, AbortSignal | undefined>();

/** The signal that the execution is cancelled, whether or not requests of the context have a deadline as well. */
export function executionSignal(context: Cancellable): AbortSignal | undefined {
	// A context may be derived from one that has a deadline.
	for (let one: object | null = context; one !== null; one = Object.getPrototypeOf(one)) {
		if (executionSignals.has(one)) return executionSignals.get(one);
	}
	return context.getExecutionCancelSignal?.();
}

/**
 * Bounds every request of a context: each one gets a signal that ends it when its time is up or the execution is
 * cancelled. n8n takes the signal of a request from its context, so that is where the deadline goes. The HTTP client's
 * own timeout only notices silence: an answer that drips would never end.
 *
 * @param context one item's context, or an object derived from the node's; it is changed
 * @param timeoutMs how long one request may take as a whole
 */
export function setDeadline(context: Cancellable, timeoutMs: number): void {
	const cancel = executionSignal(context);
	executionSignals.set(context, cancel);
	Object.defineProperty(context, 'getExecutionCancelSignal', {
		value: () => {
			const deadline = AbortSignal.timeout(timeoutMs);
			return cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
		},
	});
}
