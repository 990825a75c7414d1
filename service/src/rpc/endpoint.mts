import { setTimeout } from 'node:timers/promises';
import { isHexString, toQuantity } from 'ethers';
import { NoAnswer, quantity, record, RpcClient, RpcError } from './client.mts';

/** An endpoint, as its last requests left it. */
export interface Endpoint {
	client: RpcClient;
	/** Time limit for its answers, in milliseconds. */
	limitMs: number;
	/** Whether the endpoint is known to belong to the chain. */
	isVerified: boolean;
	/** Newest block that it has shown, as of the last check. */
	head: bigint;
	/** Time of the last failure, in milliseconds of the monotonic clock. */
	failedAt: number;
	/** Time of the last slow answer, in milliseconds of the monotonic clock. */
	slowAt: number;
	/** Number of requests without a usable answer. */
	failures: number;
	/** Time at which the newest block was first seen, in milliseconds of the monotonic clock. */
	changedAt: number;
	/** Whether the last check was answered. */
	isAnswering: boolean;
	/** Time of the last check that was answered, in milliseconds of the monotonic clock. */
	answeredAt: number;
}

/** An endpoint that was not asked yet. */
export const newEndpoint = (url: string, limitMs: number): Endpoint => ({
	client: new RpcClient(url, limitMs),
	limitMs,
	isVerified: false,
	head: 0n,
	failedAt: -Infinity,
	slowAt: -Infinity,
	failures: 0,
	changedAt: performance.now(),
	isAnswering: false,
	answeredAt: -Infinity,
});

/** Part of the time limit after which an answer counts as slow. */
const SLOW = 1 / 4;

/**
 * Asks an endpoint, and notes whether it was slow.
 *
 * @param ask one request or several, which have one time limit together
 * @throws NoAnswer if it is over
 */
export async function askInTime<T>(
	endpoint: Endpoint,
	ask: (endpoint: Endpoint) => Promise<T>,
): Promise<T> {
	const { client, limitMs } = endpoint;
	const begun = performance.now();
	const isAnswered = new AbortController();
	const limit = setTimeout(limitMs, undefined, { signal: isAnswered.signal });
	const tooLate = limit.then(() => {
		throw new NoAnswer(`${client.name} does not answer in time`);
	});
	try {
		return await Promise.race([ask(endpoint), tooLate]);
	} finally {
		isAnswered.abort();
		const now = performance.now();
		if (now - begun > SLOW * limitMs) endpoint.slowAt = now;
	}
}

/** What is known about an endpoint. */
export interface EndpointState {
	/** Host name only: URLs contain access keys. */
	name: string;
	head: bigint;
	/** Time since the newest block was first seen, in seconds. */
	headAge: number;
	isAnswering: boolean;
	failures: number;
}

/** Identity of a chain: IDs are reused, for example by every new development chain; a first block is not. */
export interface ChainIdentity {
	chainId: number;
	/** Hash of the first block. */
	genesis: string;
}

/** Reads to which chain an endpoint belongs. */
export async function identify(client: RpcClient): Promise<ChainIdentity> {
	const [chainId, block] = await Promise.all([
		client.call('eth_chainId'),
		client.call('eth_getBlockByNumber', ['0x0', false]),
	]);
	return { chainId: Number(quantity(chainId)), genesis: String(record(block)?.hash) };
}

/** Notes that an endpoint belongs to the expected chain. @throws Error if it belongs to another one */
export function verify(
	endpoint: Endpoint,
	{ chainId, genesis }: ChainIdentity,
	expected: ChainIdentity,
): void {
	const { name } = endpoint.client;
	if (chainId !== expected.chainId) {
		throw new Error(`${name} belongs to chain ${chainId}, not ${expected.chainId}`);
	}
	if (genesis !== expected.genesis) {
		throw new Error(
			`${name} belongs to another chain with the ID ${chainId}: its first block is ${genesis}, not ${expected.genesis}`,
		);
	}
	endpoint.isVerified = true;
}

/** Period after which an endpoint that does not answer has no say any more, in milliseconds. */
const SILENT_MS = 600_000;

/** Those endpoints that have answered lately. */
export function heardLately(endpoints: readonly Endpoint[]): Endpoint[] {
	const since = performance.now() - SILENT_MS;
	return endpoints.filter(({ answeredAt }) => answeredAt > since);
}

/** The newest block of the chain. */
export interface Head {
	block: number;
	hash: string;
}

/** Numbers of blocks below a reported one that are looked for: the machines of one endpoint differ by a few. */
const BEHIND = [0n, 1n, 4n, 16n, 64n];

/**
 * The newest block that an endpoint shows, up to the one that it reports: a number alone may be wrong.
 *
 * @throws NoAnswer if it shows none near the reported one
 */
export async function shownBy(client: RpcClient, reported: bigint): Promise<Head> {
	for (const number of BEHIND.map((behind) => reported - behind)) {
		if (number < 0n) break;
		const answer = client.call('eth_getBlockByNumber', [toQuantity(number), false]);
		const block = record(
			await answer.catch((error: unknown) => {
				if (error instanceof RpcError) return null;
				throw error;
			}),
		);
		const hash = String(block?.hash);
		if (block && isHexString(hash, 32) && quantity(block.number) === number) {
			return { block: Number(number), hash };
		}
	}
	throw new NoAnswer(`${client.name} does not have the block ${reported} that it reports`);
}

/**
 * Sends a signed transaction to an endpoint. A refusal proves nothing, and its text means something else in every client: an
 * endpoint that knows the transaction has it.
 *
 * @throws RpcError, NoAnswer if it is not known to have it
 */
export async function sendTo(client: RpcClient, raw: string, hash: string): Promise<void> {
	try {
		await client.call('eth_sendRawTransaction', [raw]);
	} catch (error) {
		const found = record(await client.call('eth_getTransactionByHash', [hash]));
		if (found?.hash !== hash) throw error;
	}
}
