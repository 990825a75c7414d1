import { setTimeout } from 'node:timers/promises';
import { toQuantity } from 'ethers';
import { blockIn, blockWith, transactionIn } from './blocks.mts';
import { RpcClient } from './client.mts';
import { EndpointFailure } from './failures.mts';
import { index, quantity } from './values.mts';

/** An endpoint, as its last requests left it. */
export interface Endpoint {
	client: RpcClient;
	/** Time limit for its answers, in milliseconds. */
	limitMs: number;
	/** When it was last found to belong to the chain, in milliseconds of the monotonic clock; undefined if it never was. */
	identifiedAt: number | undefined;
	/** The chain to which it belongs instead, in words. */
	foreign: string | undefined;
	/** A comparison of its chain that is under way. */
	identifying: Promise<void> | undefined;
	/** Newest block that it has shown, as of the last check. */
	head: bigint;
	/** Time of the last failure, in milliseconds of the monotonic clock. */
	failedAt: number;
	/** Time of the last slow answer, in milliseconds of the monotonic clock. */
	slowAt: number;
	/** When it last lacked what another endpoint has, and since when, in milliseconds of the monotonic clock. */
	lackedAt: number;
	lackingSince: number | undefined;
	/** When its state was last found to be older than its head, in milliseconds of the monotonic clock. */
	staleAt: number;
	/** Number of requests without a usable answer. */
	failures: number;
	/** Time at which the newest block was first seen, in milliseconds of the monotonic clock. */
	changedAt: number;
	/** Whether the last check was answered. */
	isAnswering: boolean;
	/** Time of the last check that was answered, or of the first that was not, in milliseconds of the monotonic clock. */
	answeredAt: number;
}

/** An endpoint that was not asked yet. */
export const newEndpoint = (url: string, limitMs: number): Endpoint => ({
	client: new RpcClient(url, limitMs),
	limitMs,
	identifiedAt: undefined,
	foreign: undefined,
	identifying: undefined,
	head: 0n,
	failedAt: -Infinity,
	slowAt: -Infinity,
	lackedAt: -Infinity,
	lackingSince: undefined,
	staleAt: -Infinity,
	failures: 0,
	changedAt: performance.now(),
	isAnswering: false,
	answeredAt: performance.now(),
});

/** Part of the time limit after which an answer counts as slow. */
const SLOW = 1 / 4;

/**
 * Asks an endpoint, and notes whether it was slow.
 *
 * @param ask one request or several, which have one time limit together
 * @throws EndpointFailure if it is over
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
		throw new EndpointFailure(`${client.name} does not answer in time`);
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
	/** The chain to which it belongs instead of the service's, in words. */
	foreign: string | undefined;
	/** Whether it has lacked for some time what another endpoint has. */
	isLacking: boolean;
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
 * @throws EndpointFailure if it shows none near the reported one
 */
export async function shownBy(client: RpcClient, reported: bigint): Promise<Head> {
	for (const number of BEHIND.map((behind) => reported - behind)) {
		if (number < 0n) break;
		const answer = client.call('eth_getBlockByNumber', [toQuantity(number), false]);
		const found = await answer.then(blockWith(index(Number(number)))).catch((error: unknown) => {
			if (error instanceof EndpointFailure && error.isRefusal) return undefined;
			throw error;
		});
		if (found) return { block: found.number, hash: found.hash };
	}
	throw new EndpointFailure(`${client.name} does not have the block ${reported} that it reports`);
}

/** The block that an endpoint calls newest. @throws EndpointFailure */
export async function newestOf(client: RpcClient): Promise<Head> {
	const block = blockIn(await client.call('eth_getBlockByNumber', ['latest', false]));
	if (!block) throw new EndpointFailure(`${client.name} has no newest block`);
	return { block: block.number, hash: block.hash };
}

/** The number of the newest block that an endpoint reports. */
export const reportedBy = async (client: RpcClient): Promise<bigint> =>
	quantity(await client.call('eth_blockNumber'));

const knownBy = async (client: RpcClient, hash: string) =>
	transactionIn(await client.call('eth_getTransactionByHash', [hash]));

/**
 * Sends a signed transaction to an endpoint. A refusal proves nothing, and its text means something else in every client: an
 * endpoint that knows the transaction has it.
 *
 * @throws EndpointFailure if it is not known to have it
 */
export async function sendTo(client: RpcClient, raw: string, hash: string): Promise<void> {
	try {
		await client.call('eth_sendRawTransaction', [raw]);
	} catch (error) {
		const found = await knownBy(client, hash).catch((other: unknown) => {
			if (other instanceof EndpointFailure) return undefined;
			throw other;
		});
		if (found?.hash !== hash) throw error;
	}
}
