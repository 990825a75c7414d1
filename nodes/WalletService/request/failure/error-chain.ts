import { isObject } from '../../values/objects';

/** An error and its causes, outermost first; bounded, because causes can form a cycle. */
export function chainOf(error: unknown): Record<string, unknown>[] {
	const chain: Record<string, unknown>[] = [];
	for (let next = error; isObject(next) && chain.length < 5; next = next.cause) chain.push(next);
	return chain;
}

/** HTTP status of the answer that an error is about; `undefined` if there was none. */
export function statusOf(chain: Record<string, unknown>[]): number | undefined {
	for (const { response } of chain) {
		if (isObject(response) && typeof response.status === 'number') return response.status;
	}
	return undefined;
}
