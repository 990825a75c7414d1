import axios from 'axios';

/** Path of the writes, as faults match it. */
export const WRITE = '/v1/contracts/method/write';

/** Faults of a sandbox that was started with `SANDBOX_FAULTS`, and what its request log says. */
export class ServiceFaults {
	readonly #url: string;

	/** @param baseUrl - Of the sandbox. */
	constructor(baseUrl: string) {
		this.#url = `${baseUrl}/faults`;
	}

	/**
	 * Has the next requests of a path show a fault.
	 *
	 * @param skip - So many of them go well before.
	 */
	async hit(kind: string, path: string, params: object = {}, times = 1, skip = 0): Promise<void> {
		await axios.post(this.#url, { kind, times, skip, match: { path }, params });
	}

	/** Removes all faults, and forgets the requests so far. */
	async reset(): Promise<void> {
		await axios.delete(this.#url);
		await axios.delete(`${this.#url}/requests`);
	}

	/** How many requests came for a path since the last reset. */
	async requestsFor(path: string): Promise<number> {
		const { data } = await axios.get<{ path: string }[]>(`${this.#url}/requests`);
		return data.filter((request) => request.path === path).length;
	}

	/** The most requests that were under way at any one time since the last reset. */
	async mostAtOnce(): Promise<number> {
		const { data } = await axios.get<{ max: number }>(`${this.#url}/in-flight`);
		return data.max;
	}
}
