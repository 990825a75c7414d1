/** To which chain an endpoint belongs. */
import { setTimeout } from 'node:timers/promises';
import type { RpcClient } from './client.mts';
import type { Endpoint } from './endpoint.mts';
import { ChainUnavailable, EndpointFailure } from './failures.mts';
import { hash, index, record } from './values.mts';

/** Identity of a chain: IDs are reused, for example by every new development chain; a first block is not. */
export interface ChainIdentity {
	chainId: number;
	/** Hash of the first block. */
	genesis: string;
}

/** The endpoint belongs to another chain. */
export class ForeignChain extends EndpointFailure {}

/** How often the endpoints are tried at the start, and the pause between, in milliseconds. */
const TRIES = 5;
const TRY_EVERY_MS = 300;

/** Age after which the chain of an endpoint is compared again, in milliseconds: a provider can connect a URL to another chain. */
const IDENTITY_MS = 60_000;

/** Change of the newest block by which an endpoint may have moved to another chain. */
const JUMP = 50n;

/** Reads to which chain an endpoint belongs. @throws EndpointFailure if it does not say it */
export async function identify(client: RpcClient): Promise<ChainIdentity> {
	const [chainId, block] = await Promise.all([
		client.call('eth_chainId'),
		client.call('eth_getBlockByNumber', ['0x0', false]),
	]);
	return { chainId: index(chainId), genesis: hash(record(block)?.hash) };
}

/** Notes to which chain an endpoint belongs. @throws ForeignChain if it is not the expected one */
export function verify(
	endpoint: Endpoint,
	{ chainId, genesis }: ChainIdentity,
	expected: ChainIdentity,
): void {
	const { name } = endpoint.client;
	const first = `another chain with the ID ${chainId}: its first block is ${genesis}, not ${expected.genesis}`;
	endpoint.foreign =
		chainId !== expected.chainId
			? `chain ${chainId}, not ${expected.chainId}`
			: genesis !== expected.genesis
				? first
				: undefined;
	endpoint.identifiedAt = endpoint.foreign === undefined ? performance.now() : undefined;
	if (endpoint.foreign !== undefined) {
		throw new ForeignChain(`${name} belongs to ${endpoint.foreign}`);
	}
}

/** Whether a new head is so far from the one before that the endpoint may have moved to another chain. */
export const isJump = (before: bigint, now: bigint): boolean =>
	now < before || (before > 0n && now - before > JUMP);

/**
 * Compares the chain of an endpoint with the expected one, unless it was compared within the last minute.
 *
 * @param isDue whether it is compared in any case
 * @throws ForeignChain, EndpointFailure
 */
export async function assureIdentity(
	endpoint: Endpoint,
	expected: ChainIdentity,
	isDue = false,
): Promise<void> {
	const { identifiedAt = -Infinity } = endpoint;
	if (!isDue && performance.now() - identifiedAt < IDENTITY_MS) return;
	endpoint.identifying ??= identify(endpoint.client)
		.then((identity) => verify(endpoint, identity, expected))
		.finally(() => {
			endpoint.identifying = undefined;
		});
	await endpoint.identifying;
}

/**
 * Reads to which chain new endpoints belong; those that do not say it are asked again later.
 *
 * @param expected the chain that they must belong to; if undefined, that of the first one that says it
 * @throws ChainUnavailable if none says it
 * @throws ForeignChain if they belong to different chains, or none to the expected one
 */
export async function identifyAll(
	endpoints: readonly Endpoint[],
	expected: ChainIdentity | undefined,
): Promise<ChainIdentity> {
	const ask = async () =>
		await Promise.allSettled(endpoints.map(async ({ client }) => await identify(client)));
	const firstOf = (all: Awaited<ReturnType<typeof ask>>) =>
		all.find((one) => one.status === 'fulfilled')?.value;
	let identities = await ask();
	for (let tries = 1; !firstOf(identities) && tries < TRIES; tries++) {
		await setTimeout(TRY_EVERY_MS);
		identities = await ask();
	}
	const known = firstOf(identities);
	if (!known) {
		const names = endpoints.map(({ client }) => client.name).join(', ');
		const cause = identities.find((one) => one.status === 'rejected')?.reason;
		throw new ChainUnavailable(`No chain answers at ${names}`, { cause });
	}
	const problems: unknown[] = [];
	for (const [place, one] of identities.entries()) {
		const endpoint = endpoints[place];
		if (one.status !== 'fulfilled' || !endpoint) continue;
		try {
			verify(endpoint, one.value, expected ?? known);
		} catch (error) {
			problems.push(error);
		}
	}
	// A provider's mistake must not keep the service from starting; a wrong setting must.
	const isUsable = endpoints.some(({ identifiedAt }) => identifiedAt !== undefined);
	if (problems.length > 0 && (!expected || !isUsable)) throw problems[0];
	return expected ?? known;
}
