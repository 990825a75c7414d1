interface Cancellable {
	/** A poll has none. */
	getExecutionCancelSignal?(): AbortSignal | undefined;
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
	const cancel = context.getExecutionCancelSignal?.();
	Object.defineProperty(context, 'getExecutionCancelSignal', {
		value: () => {
			const deadline = AbortSignal.timeout(timeoutMs);
			return cancel === undefined ? deadline : AbortSignal.any([cancel, deadline]);
		},
	});
}
