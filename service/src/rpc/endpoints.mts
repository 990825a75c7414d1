import type { Params, RpcClient } from './client.mts';
import { newEndpoint, type Endpoint, type EndpointState, type Head } from './endpoint.mts';
import { ContractRefusal, unavailable } from './failures.mts';
import type { EndpointFailure } from './failures.mts';
import { FinalTag } from './final-tag.mts';
import { noteWhether } from './heads.mts';
import { hear } from './hear.mts';
import { identifyAll, type ChainIdentity } from './identity.mts';
import { outcomesOf, type Agreement, type Outcome } from './outcomes.mts';
import { Pool } from './pool.mts';
import { orSayWhy } from './why-unusable.mts';
import { cleaned } from './words.mts';

/** Time limit for an answer, in milliseconds: another endpoint may be faster. */
const TIME_LIMIT_MS = 8_000;

export interface ConnectOptions {
	/** The chain that the endpoints must belong to; if undefined, that of the first one that says it. */
	expected?: ChainIdentity | undefined;
	/** Time limit for an answer, in milliseconds. */
	limitMs?: number;
	/** Whether the operator lets one endpoint decide alone. */
	isAlone?: boolean;
}

/** Reads an answer. @throws EndpointFailure if it cannot be read, which then counts as none */
type Read<T> = (answer: unknown) => T;

/** The JSON-RPC endpoints of one chain. */
export class Endpoints {
	readonly #pool: Pool;
	readonly #urls: readonly string[];
	readonly #final = new FinalTag();

	private constructor(pool: Pool, urls: readonly string[]) {
		this.#pool = pool;
		this.#urls = urls;
	}

	/**
	 * Connects to the endpoints; those that do not answer are tried again later.
	 *
	 * @throws ChainUnavailable if none answers
	 * @throws ForeignChain if they belong to different chains, or none to the expected one
	 */
	static async connect(
		urls: readonly string[],
		{ expected, limitMs = TIME_LIMIT_MS, isAlone = false }: ConnectOptions = {},
	): Promise<Endpoints> {
		const endpoints = urls.map((url) => newEndpoint(url, limitMs));
		const identity = await orSayWhy(identifyAll(endpoints, expected), urls, limitMs);
		const connected = new Endpoints(new Pool(identity, endpoints, isAlone), urls);
		await connected.poll();
		return connected;
	}

	get identity(): ChainIdentity {
		return this.#pool.identity;
	}

	/** Newest block that any endpoint has shown, as of the last check. */
	get head(): bigint {
		return this.#pool.head;
	}

	/** Newest block that as many endpoints have as must agree, as of the last check. */
	get sharedHead(): bigint {
		return this.#pool.sharedHead;
	}

	/** The newest block that a transaction can be in, by what the service has seen itself. */
	get bound(): bigint {
		return this.#pool.bound;
	}

	/** Number of endpoints that must agree before anything is final. */
	get quorum(): number {
		return this.#pool.quorum;
	}

	get states(): EndpointState[] {
		return this.#pool.states;
	}

	/** The newest block, from the best endpoint that shows the one that it reports. @throws ChainUnavailable if there is none */
	async newest(): Promise<Head> {
		const failures: EndpointFailure[] = [];
		for (const endpoint of this.#pool.inOrder()) {
			try {
				return await this.#pool.newestOf(endpoint);
			} catch (error) {
				failures.push(this.#pool.failed(endpoint, error));
			}
		}
		throw unavailable(failures);
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
		const shared = this.quorum === 1 ? BigInt(newest) : this.sharedHead;
		const deep = (shared < BigInt(newest) ? shared : BigInt(newest)) - BigInt(depth);
		if (depth === 0) return deep;
		const tagged = await this.#final.read(this);
		return tagged !== undefined && tagged < deep ? tagged : deep;
	}

	/** Checks the newest block of each endpoint, and to which chain it belongs. */
	async poll(): Promise<void> {
		await this.#pool.poll();
	}

	/** Asks the endpoints as `ask` does, whatever they answer. */
	async call(method: string, params: Params = []): Promise<unknown> {
		return await this.ask((answer) => answer, method, params);
	}

	/**
	 * Asks the endpoints one after the other, the best first, until one answers. For what is no statement about money, or is
	 * checked otherwise: the answer is one endpoint's word.
	 *
	 * @throws ContractRefusal
	 * @throws ChainUnavailable if none answers
	 */
	async ask<T>(read: Read<T>, method: string, params: Params = []): Promise<T> {
		const failures: EndpointFailure[] = [];
		for (const endpoint of this.#pool.inOrder()) {
			try {
				return read(await this.#pool.request(endpoint, method, params));
			} catch (error) {
				failures.push(this.#pool.failed(endpoint, error));
			}
		}
		throw unavailable(failures);
	}

	/**
	 * Looks for something that an endpoint may lack: none has it only if each that answers says so, and even that proves
	 * nothing. An endpoint that lacks what another one has is asked last for a minute.
	 *
	 * @param read reads an answer; undefined if the endpoint lacks it
	 * @throws ChainUnavailable if none answers
	 */
	async seek<T>(
		read: Read<T | undefined>,
		method: string,
		params: Params = [],
	): Promise<T | undefined> {
		const failures: EndpointFailure[] = [];
		const lacking: Endpoint[] = [];
		for (const endpoint of this.#pool.inOrder()) {
			try {
				const found = read(await this.#pool.request(endpoint, method, params));
				if (found !== undefined) {
					noteWhether(endpoint, true);
					for (const other of lacking) noteWhether(other, false);
					return found;
				}
				lacking.push(endpoint);
			} catch (error) {
				failures.push(this.#pool.failed(endpoint, error));
			}
		}
		if (lacking.length === 0) throw unavailable(failures);
		return undefined;
	}

	/**
	 * What the endpoints agree about: one is believed alone only while no other one answers.
	 *
	 * @throws ContractRefusal if they agree that the contract refuses the call
	 * @throws ChainUnavailable if none answers, or they disagree
	 */
	async agreed<T>(read: Read<T>, method: string, params: Params = []): Promise<T> {
		const heard = await this.heard(read, method, params);
		if (heard.refusal) throw heard.refusal;
		return heard.answer;
	}

	/** What the endpoints agree about that answer, and whether enough of them do. @throws ChainUnavailable */
	async heard<T>(read: Read<T>, method: string, params: Params = []): Promise<Agreement<T>> {
		return await hear(this, read, method, params);
	}

	/**
	 * What all endpoints say that answer, the best first. Once one has answered, the others have little time left.
	 *
	 * @throws ChainUnavailable if none answers
	 */
	async outcomes<T>(read: Read<T>, method: string, params: Params = []): Promise<Outcome<T>[]> {
		const failures: EndpointFailure[] = [];
		const asked = this.#pool.inOrder().map(async (endpoint): Promise<Outcome<T> | undefined> => {
			try {
				const answer = read(await this.#pool.request(endpoint, method, params));
				return { endpoint, answer, refusal: undefined };
			} catch (error) {
				if (error instanceof ContractRefusal) return { endpoint, refusal: error };
				failures.push(this.#pool.failed(endpoint, error));
				return undefined;
			}
		});
		const outcomes = await outcomesOf(asked);
		if (outcomes.length === 0) throw unavailable(failures);
		return outcomes;
	}

	/**
	 * The endpoints, for several requests to one of them, the best first.
	 *
	 * @param areUsable whether those are left out that failed a moment ago
	 */
	clients(areUsable = false): RpcClient[] {
		return this.#pool.inOrder(areUsable).map(({ client }) => client);
	}

	/** A text that came from an endpoint without anything of the endpoints' URLs. @param most maximum number of characters */
	clean(text: string, most: number): string {
		return cleaned(text, this.#urls, most);
	}

	/**
	 * Sends a signed transaction to every endpoint at once.
	 *
	 * @returns true as soon as an endpoint has it; otherwise why each of them does not
	 */
	async broadcast(raw: string, hash: string): Promise<true | EndpointFailure[]> {
		return await this.#pool.broadcast(raw, hash);
	}
}
