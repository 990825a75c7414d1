/** How much gas a transaction needs, and whether nodes take so much. */
import { toQuantity } from 'ethers';
import type { RevertReader } from '../abi/revert.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { RequestRefused, type EndpointFailure } from '../rpc/failures.mts';
import { countedOf, type Outcome } from '../rpc/outcomes.mts';
import { commonRevertData } from '../rpc/revert-data.mts';
import { quantity } from '../rpc/values.mts';
import { allRefuse, EndpointsDisagree } from './agreement.mts';
import { CallRefused } from './failures.mts';
import { gasCapIn } from './refusals.mts';

/** A transaction to estimate, in the form of JSON-RPC. */
export interface Tried {
	from: string;
	to: string;
	data: string;
	value: string;
}

/** Percentage by which the gas limit exceeds the estimate, because the chain's state may change before the call is mined. */
const MARGIN = 20n;

/** How many times the lower of two estimates the higher one is believed: clients estimate differently. */
const MOST_TIMES = 10n;

/** Gas of a transaction beyond which many networks take none (EIP-7825). The margin does not pass it. */
const USUAL_CAP = 2n ** 24n;

const METHOD = 'eth_estimateGas';
const OUT_OF_GAS = /out ?of ?gas/i;

/** The words of an endpoint that refuses a request. Never for the caller. */
const wordsOf = (error: RequestRefused): string => error.failures[0]?.words ?? '';

const tooMuch = (most: string) => new CallRefused(`The call needs more gas than ${most}`);
const perTransaction = (cap: bigint) => `the ${cap} that the network takes per transaction`;

async function tryWith(
	endpoints: Endpoints,
	tried: Tried,
	tag: string,
	cap: bigint,
): Promise<Outcome<bigint>[]> {
	try {
		return await endpoints.outcomes(quantity, METHOD, [{ ...tried, gas: toQuantity(cap) }, tag]);
	} catch (error) {
		if (!(error instanceof RequestRefused)) throw error;
		const isAboutGas = ({ words }: EndpointFailure) =>
			gasCapIn(words) !== undefined || OUT_OF_GAS.test(words);
		const { failures } = error;
		if (failures.length < endpoints.quorum || !failures.every(isAboutGas)) throw error;
		throw tooMuch(perTransaction(cap));
	}
}

async function estimatesOf(
	endpoints: Endpoints,
	tried: Tried,
	tag: string,
): Promise<Outcome<bigint>[]> {
	try {
		return await endpoints.outcomes(quantity, METHOD, [tried, tag]);
	} catch (error) {
		if (!(error instanceof RequestRefused)) throw error;
		// Without a limit, nodes try with the gas of a block, which some of them then refuse as too much.
		const cap = gasCapIn(wordsOf(error));
		if (cap !== undefined) return await tryWith(endpoints, tried, tag, cap);
		if (tag !== 'latest') throw error;
		// Some nodes know one argument only.
		return await endpoints.outcomes(quantity, METHOD, [tried]);
	}
}

/**
 * The gas that a transaction needs: of several estimates the highest, because the endpoints may be at different blocks.
 *
 * @throws CallRefused if all endpoints say that it reverts
 * @throws ChainUnavailable if no endpoint answers; EndpointsDisagree if they contradict each other
 */
export async function estimateGas(
	endpoints: Endpoints,
	readRevert: RevertReader,
	tried: Tried,
	tag: 'latest' | 'pending' = 'latest',
): Promise<bigint> {
	const outcomes = await estimatesOf(endpoints, tried, tag);
	const about = 'whether the call succeeds';
	if (allRefuse(outcomes, endpoints.quorum, about, ({ refusal }) => refusal !== undefined)) {
		throw new CallRefused(
			readRevert(commonRevertData(outcomes.map(({ refusal }) => refusal?.data))),
		);
	}
	const estimates = countedOf(outcomes).flatMap((one) => (one.refusal ? [] : one.answer));
	const [low = 0n, ...others] = estimates.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
	const high = others.at(-1) ?? low;
	if (high <= MOST_TIMES * low) return high;
	throw new EndpointsDisagree('The endpoints disagree about the gas of the call');
}

/** What nodes take, as far as it is known. */
export interface GasBounds {
	/** Gas of a block. */
	blockGas: bigint | undefined;
	/** Whether enough endpoints report that. */
	isBlockGasCertain: boolean;
	/** Most gas of one transaction. */
	gasCap: bigint | undefined;
}

/**
 * The gas limit of a transaction with an estimate.
 *
 * @throws CallRefused if nodes take no such transaction; EndpointsDisagree if too few say so
 */
export function gasLimitFor(
	estimate: bigint,
	{ blockGas, isBlockGasCertain, gasCap }: GasBounds,
): bigint {
	if (gasCap !== undefined && estimate > gasCap) throw tooMuch(perTransaction(gasCap));
	if (blockGas !== undefined && estimate > blockGas) {
		if (!isBlockGasCertain)
			throw new EndpointsDisagree('Too few endpoints report the gas of a block');
		throw tooMuch(`the ${blockGas} of a block`);
	}
	const usual = estimate > USUAL_CAP ? undefined : USUAL_CAP;
	const wanted = estimate + (estimate * MARGIN) / 100n;
	return [usual, gasCap, blockGas].reduce<bigint>(
		(limit, cap) => (cap !== undefined && cap < limit ? cap : limit),
		wanted,
	);
}
