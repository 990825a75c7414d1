import axios from 'axios';
import { JsonRpcProvider } from 'ethers';

import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { startSandbox } from '../../../sandbox/src/spawn.mts';

/** A fault that the service shows on matching requests; see the sandbox's fault injection. */
export interface Fault {
	readonly kind: string;
	/** `caller` is the id of the user whose access token the request carries. */
	readonly match?: { readonly method?: string; readonly path?: string; readonly caller?: string };
	/** How often it shows; until it is cleared when left out. */
	readonly times?: number;
	/** Matching requests to leave alone first. */
	readonly skip?: number;
	readonly params?: Record<string, unknown>;
}

/** A request that reached the service. */
export interface ReceivedRequest {
	readonly method: string;
	readonly path: string;
}

/** The reference service in its own process, with the chain behind it and its fault injection. */
export class Service {
	readonly ready: SandboxReady;

	readonly chain: JsonRpcProvider;

	readonly #stop: () => Promise<void>;

	private constructor(ready: SandboxReady, stop: () => Promise<void>) {
		this.ready = ready;
		this.chain = new JsonRpcProvider(ready.rpcUrl, undefined, { cacheTimeout: -1 });
		this.#stop = stop;
	}

	/** @param env further settings of the service */
	static async start(env: Record<string, string> = {}): Promise<Service> {
		const { ready, stop } = await startSandbox({ env: { SANDBOX_FAULTS: '1', ...env } });
		return new Service(ready, stop);
	}

	/** The first seeded user, unless another is asked for. */
	user(index = 0): SandboxReady['users'][number] {
		const user = this.ready.users[index];
		if (user === undefined) throw new Error(`No user ${index}`);
		return user;
	}

	/** Data of a credential that belongs to a seeded user. */
	credential(index = 0): Record<string, string> {
		const { accessToken, id } = this.user(index);
		return { baseUrl: this.ready.baseUrl, accessToken, userId: id };
	}

	async fault(fault: Fault): Promise<void> {
		await axios.post(`${this.ready.baseUrl}/faults`, fault);
	}

	/** Removes all faults and forgets the requests so far. */
	async reset(): Promise<void> {
		await axios.delete(`${this.ready.baseUrl}/faults`);
		await axios.delete(`${this.ready.baseUrl}/faults/requests`);
	}

	async requests(): Promise<ReceivedRequest[]> {
		const { data } = await axios.get<ReceivedRequest[]>(`${this.ready.baseUrl}/faults/requests`);
		return data;
	}

	/** Most requests that were under way at the same time since the last reset. */
	async mostInFlight(): Promise<number> {
		const { data } = await axios.get<{ max: number }>(`${this.ready.baseUrl}/faults/in-flight`);
		return data.max;
	}

	async stop(): Promise<void> {
		this.chain.destroy();
		await this.#stop();
	}
}
