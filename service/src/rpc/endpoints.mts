import { setTimeout } from 'node:timers/promises';
import type { JsonRpcPayload } from 'ethers';
import { askInTime, heardLately, identify, newEndpoint } from './endpoint.mts';
import { sendTo, shownBy, verify } from './endpoint.mts';
import type { ChainIdentity, Endpoint, EndpointState, Head } from './endpoint.mts';
import { NoAnswer, OF_CONTRACTS, quantity, record, RpcError, type RpcClient } from './client.mts';

/** No endpoint of the chain answers. */
export class ChainUnavailable extends Error {}

/** Time limit for an answer, in milliseconds: another endpoint may be faster. */
const TIME_LIMIT_MS = 8_000;

/** How often the endpoints are tried at the start, and the pause between, in milliseconds. */
const TRIES = 5;
const TRY_EVERY_MS = 300;

/** Period in which an endpoint that failed or was slow is asked last, in milliseconds. */
const REST_MS = 10_000;

/** The JSON-RPC endpoints of one chain. */
export class Endpoints {
	readonly identity: ChainIdentity;
	readonly #endpoints: Endpoint[];
	/** Whether the chain has ever answered the tag `finalized`: from then on, no answer is a failure. */
	#hasFinalTag = false;

	private constructor(identity: ChainIdentity, endpoints: Endpoint[]) {
		this.identity = identity;
		this.#endpoints = endpoints;
	}

	/**
	 * Connects to the endpoints; those that do not answer are tried again later.
	 *
	 * @param expected the chain that the endpoints must belong to; if undefined, that of the first endpoint
	 * @throws ChainUnavailable if none answers
	 * @throws Error if an endpoint belongs to another chain
	 */
	static async connect(
		urls: readonly string[],
		expected?: ChainIdentity,
		limitMs = TIME_LIMIT_MS,
	): Promise<Endpoints> {
		const endpoints = urls.map((url) => newEndpoint(url, limitMs));
		const identifyAll = async () =>
			await Promise.allSettled(endpoints.map(({ client }) => identify(client)));
		let identities = await identifyAll();
		const first = () => identities.find((one) => one.status === 'fulfilled')?.value;
		for (let tries = 1; !first() && tries < TRIES; tries++) {
			await setTimeout(TRY_EVERY_MS);
			identities = await identifyAll();
		}
		const known = first();
		if (!known) {
			const names = endpoints.map(({ client }) => client.name).join(', ');
			throw new ChainUnavailable(`No chain answers at ${names}`);
		}
		const connected = new Endpoints(expected ?? known, endpoints);
		for (const [index, one] of identities.entries()) {
			const endpoint = endpoints[index];
			if (one.status === 'fulfilled' && endpoint) verify(endpoint, one.value, connected.identity);
		}
		await connected.poll();
		return connected;
	}

	/** Newest block that any endpoint has shown, as of the last check. */
	get head(): bigint {
		return this.#endpoints.reduce((newest, { head }) => (head > newest ? head : newest), 0n);
	}

	/** Number of endpoints that must agree before anything is final. One alone is believed if no other has answered lately. */
	get quorum(): number {
		return Math.max(1, Math.min(2, heardLately(this.#endpoints).length));
	}

	get states(): EndpointState[] {
		const now = performance.now();
		return this.#endpoints.map(({ client, head, changedAt, isAnswering, failures }) => {
			const headAge = Math.floor((now - changedAt) / 1_000);
			return { name: client.name, head, headAge, isAnswering, failures };
		});
	}

	/** The newest block, from the best endpoint that shows the one that it reports. @throws ChainUnavailable if there is none */
	async newest(): Promise<Head> {
		let cause: unknown;
		for (const endpoint of this.#inOrder()) {
			try {
				return await askInTime(endpoint, async ({ client, head }) => {
					const block = record(await client.call('eth_getBlockByNumber', ['latest', false]));
					const number = quantity(block?.number);
					if (number > head) return await shownBy(client, number);
					return { block: Number(number), hash: String(block?.hash) };
				});
			} catch (error) {
				cause = error;
				this.#fail(endpoint);
			}
		}
		throw new ChainUnavailable('No endpoint shows the newest block of the chain', { cause });
	}

	/**
	 * The newest final block: `depth` blocks below the head that two endpoints have, and not above the block that the chain
	 * calls final. Chains without reorganisations of their own call the head final, so the tag alone is not believed; at a
	 * depth of 0 it is not read.
	 *
	 * @throws ChainUnavailable
	 */
	async finalBlock(depth: number): Promise<bigint> {
		const { block: newest } = await this.newest();
		const heads = heardLately(this.#endpoints).map(({ head }) => Number(head));
		const [, second = newest] = heads.sort((a, b) => b - a);
		const deep = BigInt(Math.min(newest, second) - depth);
		if (depth === 0) return deep;
		try {
			const block = await this.ask(record, 'eth_getBlockByNumber', ['finalized', false]);
			if (!block && !this.#hasFinalTag) return deep;
			const tagged = quantity(block?.number);
			this.#hasFinalTag = true;
			return tagged < deep ? tagged : deep;
		} catch (error) {
			if (error instanceof RpcError && !this.#hasFinalTag) return deep;
			throw error;
		}
	}

	/** Checks the newest block of each endpoint. */
	async poll(): Promise<void> {
		await Promise.all(
			this.#endpoints.map(async (endpoint) => {
				try {
					const head = await askInTime(endpoint, async ({ client }) => {
						if (!endpoint.isVerified) verify(endpoint, await identify(client), this.identity);
						const reported = quantity(await client.call('eth_blockNumber'));
						if (reported === endpoint.head) return reported;
						return BigInt((await shownBy(client, reported)).block);
					});
					if (head !== endpoint.head) endpoint.changedAt = performance.now();
					endpoint.head = head;
					endpoint.isAnswering = true;
					endpoint.answeredAt = performance.now();
				} catch {
					endpoint.isAnswering = false;
					this.#fail(endpoint);
				}
			}),
		);
	}

	/** Asks the endpoints as `ask` does, whatever they answer. */
	async call(method: string, params: JsonRpcPayload['params'] = []): Promise<unknown> {
		return await this.ask((answer) => answer, method, params);
	}

	/**
	 * Asks the endpoints one after the other, the best first, until one answers.
	 *
	 * @param read reads an answer; one that it refuses with NoAnswer counts as none
	 * @throws RpcError with the chain's own answer, such as a revert
	 * @throws ChainUnavailable if none answers
	 */
	async ask<T>(
		read: (answer: unknown) => T,
		method: string,
		params: JsonRpcPayload['params'] = [],
	): Promise<T> {
		let problem: RpcError | undefined;
		for (const endpoint of this.#inOrder()) {
			try {
				// How long a contract takes is not a matter of the endpoint.
				if (OF_CONTRACTS.includes(method)) return read(await endpoint.client.call(method, params));
				return read(await askInTime(endpoint, ({ client }) => client.call(method, params)));
			} catch (error) {
				if (error instanceof RpcError) {
					if (error.isOfChain) throw error;
					problem ??= error;
				} else if (error instanceof NoAnswer) {
					this.#fail(endpoint);
				} else {
					throw error;
				}
			}
		}
		throw problem ?? new ChainUnavailable('No endpoint of the chain answers');
	}

	/**
	 * The endpoints, for several requests to one of them, the best first.
	 *
	 * @param areUsable whether those are left out that failed a moment ago
	 */
	clients(areUsable = false): RpcClient[] {
		const since = areUsable ? performance.now() - REST_MS : Infinity;
		return this.#inOrder().flatMap(({ client, failedAt }) => (failedAt < since ? client : []));
	}

	/** The answers of all endpoints of the chain. @throws RpcError, NoAnswer if one of them does not answer */
	async askAll(method: string, params: JsonRpcPayload['params']): Promise<unknown[]> {
		return await Promise.all(this.#inOrder().map(({ client }) => client.call(method, params)));
	}

	/**
	 * The answers of those endpoints of the chain that answer.
	 *
	 * @param read reads an answer; one that it refuses counts as none
	 * @throws ChainUnavailable if none answers
	 */
	async askAnswering<T>(
		method: string,
		params: JsonRpcPayload['params'],
		read: (answer: unknown) => T,
	): Promise<T[]> {
		const asked = this.#inOrder().map(async ({ client }) =>
			read(await client.call(method, params)),
		);
		const settled = await Promise.allSettled(asked);
		const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
		if (answers.length === 0) throw new ChainUnavailable('No endpoint of the chain answers');
		return answers;
	}

	/** Sends a signed transaction to every endpoint at once. @returns whether an endpoint has it, as soon as one has */
	async broadcast(raw: string, hash: string): Promise<boolean> {
		const sent = this.#inOrder().map(({ client }) => sendTo(client, raw, hash));
		return await Promise.any(sent).then(
			() => true,
			() => false,
		);
	}

	#fail(endpoint: Endpoint): void {
		endpoint.failedAt = performance.now();
		endpoint.failures += 1;
	}

	#inOrder(): Endpoint[] {
		const now = performance.now();
		const isResting = ({ failedAt, slowAt }: Endpoint) =>
			Number(now - Math.max(failedAt, slowAt) < REST_MS);
		return this.#endpoints
			.filter(({ isVerified }) => isVerified)
			.sort((a, b) => isResting(a) - isResting(b) || Number(b.head - a.head));
	}
}
