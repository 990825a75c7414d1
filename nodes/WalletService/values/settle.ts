const fulfilled = <T>(value: T) => ({ status: 'fulfilled', value }) as const;
const rejected = (reason: unknown) => ({ status: 'rejected', reason }) as const;

/**
 * Waits for a promise and returns its outcome as a value. n8n's lint rules do not allow a `catch` that continues with
 * the error.
 *
 * @example (await settle(Promise.reject(new Error('no')))).status // 'rejected'
 */
export async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
	return await promise.then(fulfilled, rejected);
}
