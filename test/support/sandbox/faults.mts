import axios from 'axios';
import type { FaultKind, FaultRequest } from '../../../sandbox/src/faults/fault.mts';
import type { LoggedRequest } from '../../../sandbox/src/faults/request-log.mts';
import { until } from '../until.mts';

/** Path of the writes, as faults match it. */
export const WRITE = '/v1/contracts/method/write';

/** The fault injection of a service, and its request log. */
export class Faults {
	readonly #url: string;

	constructor(baseUrl: string) {
		this.#url = `${baseUrl}/faults`;
	}

	async add(fault: FaultRequest): Promise<void> {
		await axios.post(this.#url, fault);
	}

	/** Programs a fault for the next request to a path, or for `times` requests after `skip` requests that succeed. */
	async hit(
		kind: FaultKind,
		path: string,
		{ params = {}, times = 1, skip = 0 }: Partial<Omit<FaultRequest, 'kind' | 'match'>> = {},
	): Promise<void> {
		await this.add({ kind, times, skip, match: { path }, params });
	}

	async clear(): Promise<void> {
		await axios.delete(this.#url);
	}

	/** Removes all faults, and clears the request log. */
	async reset(): Promise<void> {
		await this.clear();
		await axios.delete(`${this.#url}/requests`);
	}

	/** The requests since the last reset, except the question what the service offers. */
	async requests(): Promise<LoggedRequest[]> {
		const { data } = await axios.get<LoggedRequest[]>(`${this.#url}/requests`);
		return data.filter(({ path }) => path !== '/v1/service');
	}

	/** Number of requests to a path since the last reset. */
	async requestsFor(path: string): Promise<number> {
		return (await this.requests()).filter((request) => request.path === path).length;
	}

	/** Waits for this many more requests to a path; a poll begins after the previous one has ended. */
	async untilRequested(path: string, count: number): Promise<void> {
		const before = await this.requestsFor(path);
		await until(async () => (await this.requestsFor(path)) >= before + count);
	}

	/** Maximum number of requests in flight since the last reset. */
	async mostInFlight(): Promise<number> {
		return (await axios.get<{ max: number }>(`${this.#url}/in-flight`)).data.max;
	}
}
