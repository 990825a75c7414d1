import type { Params } from './client.mts';
import type { Endpoints } from './endpoints.mts';
import { ChainUnavailable } from './failures.mts';
import { agreement, type Agreement, type Outcome } from './outcomes.mts';

/** What endpoints agree about, and whether as many do as must agree. */
export type Agreed<T> = Extract<Agreement<T>, { answer: T }>;

/**
 * What the endpoints agree about that have it: others may lack it for a moment, or for ever.
 *
 * @param read reads an answer; undefined if the endpoint lacks it
 * @returns undefined if none has it
 * @throws ChainUnavailable if they disagree, or none answers
 */
export async function agreedIfKnown<T>(
	endpoints: Endpoints,
	read: (answer: unknown) => T | undefined,
	method: string,
	params: Params,
): Promise<Agreed<T> | undefined> {
	const outcomes = await endpoints.outcomes(read, method, params);
	const known = outcomes.flatMap((outcome): Outcome<T>[] => {
		if (outcome.refusal || outcome.answer === undefined) return [];
		return [{ endpoint: outcome.endpoint, answer: outcome.answer, refusal: undefined }];
	});
	if (known.length === 0) return undefined;
	const agreed = agreement(known, endpoints.quorum);
	if (agreed && !agreed.refusal) return agreed;
	throw new ChainUnavailable(`The endpoints of the chain disagree about ${method}`);
}
