import { quantity } from '../rpc/values.mts';
import type { Params } from '../rpc/client.mts';

/** Most old balances that are read again in one go, and most requests at the same time. */
const MOST_AGAIN = 100;
const AT_ONCE = 20;

/** The endpoints, as far as they are asked here: none of them decides alone what a wallet has. */
export interface Agreeing {
	agreed(read: typeof quantity, method: string, params: Params): Promise<bigint>;
}

/**
 * The native coin of wallets. It is read bit by bit: a thousand requests every minute would use up what the company of an endpoint
 * allows.
 */
export class Balances {
	readonly #endpoints: Agreeing;
	readonly #oldMs: number;
	readonly #known = new Map<string, { balance: bigint; at: number }>();

	/** @param oldMs age after which a balance is read again, in milliseconds */
	constructor(endpoints: Agreeing, oldMs: number) {
		this.#endpoints = endpoints;
		this.#oldMs = oldMs;
	}

	/** In wei; undefined if no endpoint has reported it, or they disagree. */
	of(address: string): bigint | undefined {
		return this.#known.get(address)?.balance;
	}

	/** Reads all that are unknown, and some of the old ones, the oldest first. Ends when nothing can be read. */
	async refresh(addresses: readonly string[]): Promise<void> {
		const before = performance.now() - this.#oldMs;
		const timeOf = (address: string) => this.#known.get(address)?.at ?? -Infinity;
		const old = addresses
			.filter((address) => timeOf(address) <= before)
			.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
		const unknown = old.filter((address) => !this.#known.has(address)).length;
		const wanted = old.slice(0, Math.max(unknown, MOST_AGAIN));
		for (let next = 0; next < wanted.length; next += AT_ONCE) {
			const reading = wanted.slice(next, next + AT_ONCE).map((one) => this.#readAgain(one));
			if (!(await Promise.all(reading)).includes(true)) return;
		}
	}

	async #readAgain(address: string): Promise<boolean> {
		try {
			const params = [address, 'latest'];
			const balance = await this.#endpoints.agreed(quantity, 'eth_getBalance', params);
			this.#known.set(address, { balance, at: performance.now() });
			return true;
		} catch {
			this.#known.delete(address);
			return false;
		}
	}
}
