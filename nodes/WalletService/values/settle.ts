/**
 * Waits for a promise, and gives how it ended as a value. A `catch` that goes on with the error would break n8n's rule that
 * whatever is caught in a node is thrown again as an error of n8n's.
 *
 * @example (await settle(Promise.reject(new Error('no')))).status // 'rejected'
 */
export async function settle<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
	const [result] = await Promise.allSettled([promise]);
	return result;
}
