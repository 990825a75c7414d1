/** What the endpoints agree about. */
import { setTimeout } from 'node:timers/promises';
import { toQuantity } from 'ethers';
import type { Params } from './client.mts';
import { ChainUnavailable } from './failures.mts';
import { isOld, type AskForBlock } from './old-blocks.mts';
import { agreement, type Agreement, type Outcome } from './outcomes.mts';

/** How often endpoints that disagree are asked again, and the pause between, in milliseconds. */
const LOOKS = 3;
const LOOK_EVERY_MS = 300;

/** The endpoints, as far as they are asked here. */
interface Asked {
	quorum: number;
	head: bigint;
	sharedHead: bigint;
	poll(): Promise<void>;
	outcomes<T>(read: (answer: unknown) => T, method: string, params: Params): Promise<Outcome<T>[]>;
	seek: AskForBlock;
}

/**
 * What the endpoints agree about that answer. On the tag `latest` they may be at different blocks, so that they are asked again
 * about one that all of them have, unless that is an old one.
 *
 * @param read reads an answer
 * @throws ChainUnavailable if none answers, or they disagree
 */
export async function hear<T>(
	endpoints: Asked,
	read: (answer: unknown) => T,
	method: string,
	params: Params,
): Promise<Agreement<T>> {
	let asked = params;
	for (let look = 1; look <= LOOKS; look++) {
		const heard = agreement(await endpoints.outcomes(read, method, asked), endpoints.quorum);
		if (heard) return heard;
		if (!Array.isArray(params) || !params.includes('latest')) break;
		await setTimeout(LOOK_EVERY_MS);
		await endpoints.poll();
		const { sharedHead, head } = endpoints;
		if (await isOld(sharedHead, head, endpoints.seek.bind(endpoints))) break;
		asked = params.map((one: unknown) => (one === 'latest' ? toQuantity(sharedHead) : one));
	}
	throw new ChainUnavailable(`The endpoints of the chain disagree about ${method}`);
}
