import type { IHttpRequestOptions } from 'n8n-workflow';

import { settle } from '../../values/settle';

type Signal = IHttpRequestOptions['abortSignal'];

/** Rejects when the signal aborts. Without a signal it never settles. */
export async function untilAborted(signal: Signal): Promise<never> {
	return await new Promise((_resolve, reject) => {
		const end = () => reject(new Error('Ended by its signal'));
		if (signal?.aborted === true) end();
		signal?.addEventListener?.('abort', end);
	});
}

/**
 * One renewal at a time for each credential. n8n before 2.30 renews for each request separately; but a refresh token
 * is often good for a single use, and a second use ends the whole sign-in.
 */
class RenewalTurns {
	readonly #last = new Map<string, Promise<unknown>>();

	/**
	 * Waits until no other request renews a credential.
	 *
	 * @returns a function that ends the turn; `undefined` if the signal aborted first
	 */
	async take(credential: string, signal: Signal): Promise<(() => void) | undefined> {
		let end = (): void => undefined;
		const before = this.#last.get(credential);
		const mine = new Promise<void>((resolve) => {
			end = resolve;
		});
		const last = Promise.all([before, mine]).then(() => {
			if (this.#last.get(credential) === last) this.#last.delete(credential);
		});
		this.#last.set(credential, last);
		const waiting = Promise.race([before, untilAborted(signal)]);
		const result = await settle(waiting);
		if (result.status === 'fulfilled') return end;
		end();
		return undefined;
	}
}

export const renewalTurns = new RenewalTurns();
