import { OF_CONTRACTS, type Params } from './client.mts';
import { askInTime, newestOf, reportedBy, sendTo, shownBy } from './endpoint.mts';
import type { Endpoint, EndpointState, Head } from './endpoint.mts';
import { EndpointFailure } from './failures.mts';
import { boundOf, isLacking, isLackingLong, quorumOf, sharedHeadOf } from './heads.mts';
import { assureIdentity, isJump, type ChainIdentity } from './identity.mts';

/** Period in which an endpoint that failed or was slow is asked last, in milliseconds. */
const REST_MS = 10_000;

/** The endpoints of one chain: which of them belong to it, how far they are, and in which order they are asked. */
export class Pool {
	readonly identity: ChainIdentity;
	readonly #endpoints: readonly Endpoint[];
	readonly #isAlone: boolean;

	/** @param isAlone whether the operator lets one endpoint decide alone */
	constructor(identity: ChainIdentity, endpoints: readonly Endpoint[], isAlone: boolean) {
		this.identity = identity;
		this.#endpoints = endpoints;
		this.#isAlone = isAlone;
	}

	/** Newest block that any endpoint has shown, as of the last check. */
	get head(): bigint {
		return this.usable.reduce((newest, { head }) => (head > newest ? head : newest), 0n);
	}

	/** Newest block that as many endpoints have as must agree, as of the last check. */
	get sharedHead(): bigint {
		return sharedHeadOf(this.#endpoints, this.quorum);
	}

	/** The newest block that a transaction can be in, by what the service has seen itself. */
	get bound(): bigint {
		return boundOf(this.usable);
	}

	/**
	 * Number of endpoints that must agree before anything is final: two, where two are configured. One that has been silent for
	 * ten minutes has no say.
	 */
	get quorum(): number {
		return this.#isAlone ? 1 : quorumOf(this.#endpoints);
	}

	/** The endpoints that belong to the chain, as far as is known. */
	get usable(): Endpoint[] {
		return this.#endpoints.filter(({ identifiedAt }) => identifiedAt !== undefined);
	}

	get states(): EndpointState[] {
		const now = performance.now();
		return this.#endpoints.map((endpoint) => {
			const { client, head, changedAt, isAnswering, failures, foreign } = endpoint;
			const headAge = Math.floor((now - changedAt) / 1_000);
			const common = { name: client.name, head, headAge, isAnswering, failures, foreign };
			return { ...common, isLacking: isLackingLong(endpoint) };
		});
	}

	/** The newest block that an endpoint shows. @throws EndpointFailure */
	async newestOf(endpoint: Endpoint): Promise<Head> {
		return await askInTime(endpoint, async ({ client, head }) => {
			await assureIdentity(endpoint, this.identity);
			const newest = await newestOf(client);
			const number = BigInt(newest.block);
			if (isJump(head, number)) await assureIdentity(endpoint, this.identity, true);
			return number > head ? await shownBy(client, number) : newest;
		});
	}

	/** Checks the newest block of each endpoint, and to which chain it belongs. */
	async poll(): Promise<void> {
		await Promise.all(
			this.#endpoints.map(async (endpoint) => {
				try {
					const head = await askInTime(endpoint, async ({ client }) => {
						await assureIdentity(endpoint, this.identity);
						const reported = await reportedBy(client);
						if (reported === endpoint.head) return reported;
						if (isJump(endpoint.head, reported)) {
							await assureIdentity(endpoint, this.identity, true);
						}
						return BigInt((await shownBy(client, reported)).block);
					});
					if (head !== endpoint.head) endpoint.changedAt = performance.now();
					endpoint.head = head;
					endpoint.isAnswering = true;
					endpoint.answeredAt = performance.now();
				} catch (error) {
					endpoint.isAnswering = false;
					this.failed(endpoint, error);
				}
			}),
		);
	}

	/** Asks one endpoint. @throws ContractRefusal, EndpointFailure */
	async request(endpoint: Endpoint, method: string, params: Params): Promise<unknown> {
		await assureIdentity(endpoint, this.identity);
		// How long a contract takes is not a matter of the endpoint.
		if (OF_CONTRACTS.includes(method)) return await endpoint.client.call(method, params);
		return await askInTime(endpoint, ({ client }) => client.call(method, params));
	}

	/** Sends a signed transaction to every endpoint at once. @returns true as soon as one has it; otherwise why each does not */
	async broadcast(raw: string, hash: string): Promise<true | EndpointFailure[]> {
		const failures: EndpointFailure[] = [];
		const sent = this.inOrder().map(async ({ client }) => {
			await sendTo(client, raw, hash).catch((error: unknown) => {
				if (error instanceof EndpointFailure) failures.push(error);
				throw error;
			});
		});
		return await Promise.any(sent).then(
			() => true,
			() => failures,
		);
	}

	/** Notes a failure of an endpoint. @throws any other error */
	failed(endpoint: Endpoint, error: unknown): EndpointFailure {
		if (!(error instanceof EndpointFailure)) throw error;
		if (!error.isRefusal) {
			endpoint.failedAt = performance.now();
			endpoint.failures += 1;
		}
		return error;
	}

	/** Those that belong to the chain, the best first. @param areUsable whether those are left out that failed a moment ago */
	inOrder(areUsable = false): Endpoint[] {
		const now = performance.now();
		const isResting = ({ failedAt, slowAt }: Endpoint) =>
			Number(now - Math.max(failedAt, slowAt) < REST_MS);
		const order = (a: Endpoint, b: Endpoint) =>
			isResting(a) - isResting(b) ||
			Number(isLacking(a)) - Number(isLacking(b)) ||
			Number(b.head - a.head);
		return this.usable.filter(({ failedAt }) => !areUsable || now - failedAt > REST_MS).sort(order);
	}
}
