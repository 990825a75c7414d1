import type { RevertReader } from '../abi/revert.mts';
import { agreedIfKnown } from '../rpc/agreed-if-known.mts';
import { transactionIn } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable, RequestRefused } from '../rpc/failures.mts';
import { agreement, type Outcome } from '../rpc/outcomes.mts';
import { bytes, ifReadable, record } from '../rpc/values.mts';

/** How endpoints name a call that used up its gas. It decides about the words only. */
const OUT_OF_GAS = /out ?of ?gas|intrinsic gas/i;

const NO_GAS = 'The transaction ran out of gas';
const UNREADABLE = 'The transaction reverted; its reason cannot be read';
const DISPUTED = 'The transaction reverted; the endpoints disagree about its reason';

/** Why a transaction reverted. */
export interface Reason {
	text: string;
	/** Whether as many endpoints say it as must agree, or fewer; `nobody` if it cannot be read. */
	by: 'enough' | 'few' | 'nobody';
}

/** What endpoints say that can, each in words. */
type Told = Outcome<string>[];

/** The reasons in the traces of those endpoints that trace transactions. */
async function traces(endpoints: Endpoints, readRevert: RevertReader, hash: string): Promise<Told> {
	const how = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
	const read = (answer: unknown): string | undefined => {
		const call = record(answer);
		if (typeof call?.error !== 'string') return undefined;
		const data = ifReadable(bytes, call.output) ?? '0x';
		return data === '0x' && OUT_OF_GAS.test(call.error) ? NO_GAS : readRevert(data);
	};
	try {
		const outcomes = await endpoints.outcomes(read, 'debug_traceTransaction', [hash, how]);
		return outcomes.flatMap(({ endpoint, ...outcome }) => {
			if (outcome.refusal || outcome.answer === undefined) return [];
			return { endpoint, answer: outcome.answer, refusal: undefined };
		});
	} catch (error) {
		if (error instanceof RequestRefused) return [];
		throw error;
	}
}

/** The call of a transaction in a block, and the number of the block before; undefined if it is not known, or disputed. */
async function callOf(endpoints: Endpoints, hash: string) {
	const read = (value: unknown) => {
		const { answer, place } = transactionIn(value) ?? {};
		if (!answer || !place) return undefined;
		const { from, to, input, value: coin, gas } = answer;
		const before = `0x${(place.blockNumber - 1).toString(16)}`;
		return [{ from, to, data: input, value: coin, gas }, before];
	};
	try {
		return (await agreedIfKnown(endpoints, read, 'eth_getTransactionByHash', [hash]))?.answer;
	} catch (error) {
		if (error instanceof ChainUnavailable) return undefined;
		throw error;
	}
}

/** What the call of a transaction returns on the state before its block, by the endpoints at which it fails there. */
async function replays(
	endpoints: Endpoints,
	readRevert: RevertReader,
	hash: string,
): Promise<Told> {
	const call = await callOf(endpoints, hash);
	if (!call) return [];
	const outcomes = await endpoints.outcomes((answer) => answer, 'eth_call', call);
	return outcomes.flatMap(({ endpoint, refusal }) => {
		return refusal ? { endpoint, answer: readRevert(refusal.data), refusal: undefined } : [];
	});
}

/**
 * Why a transaction in a block reverted, in words. Most endpoints cannot say it of old transactions.
 *
 * @throws ChainUnavailable
 */
export async function readReason(
	endpoints: Endpoints,
	readRevert: RevertReader,
	hash: string,
): Promise<Reason> {
	const traced = await traces(endpoints, readRevert, hash);
	const isEnough = traced.length >= endpoints.quorum;
	const replayed = isEnough ? [] : await replays(endpoints, readRevert, hash);
	const others = replayed.filter(({ endpoint }) =>
		traced.every((one) => one.endpoint !== endpoint),
	);
	const all = [...traced, ...others];
	// Some clients do not pass on what a contract returned.
	const named = all.filter((one) => one.refusal || one.answer !== readRevert('0x'));
	const told = named.length > 0 ? named : all;
	if (told.length === 0) return { text: UNREADABLE, by: 'nobody' };
	const agreed = agreement(told, endpoints.quorum);
	if (!agreed || agreed.refusal) return { text: DISPUTED, by: 'nobody' };
	return { text: agreed.answer, by: agreed.isCertain ? 'enough' : 'few' };
}
