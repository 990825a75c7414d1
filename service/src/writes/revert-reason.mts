import type { RevertReader } from '../abi/revert.mts';
import { ContractRefusal, RequestRefused } from '../rpc/failures.mts';
import { bytes, ifReadable, record } from '../rpc/values.mts';
import { transactionIn } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';

/** How endpoints name a call that used up its gas. It decides about the words only. */
const OUT_OF_GAS = /out ?of ?gas|intrinsic gas/i;

const NO_GAS = 'The transaction ran out of gas';

/** What a failed call returned; undefined if the endpoints do not trace transactions. */
async function trace(
	endpoints: Endpoints,
	hash: string,
): Promise<{ data: string; error: string } | undefined> {
	const how = { tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
	try {
		const call = await endpoints.ask(record, 'debug_traceTransaction', [hash, how]);
		if (typeof call?.error !== 'string') return undefined;
		return { data: ifReadable(bytes, call.output) ?? '0x', error: call.error };
	} catch (error) {
		if (error instanceof RequestRefused) return undefined;
		throw error;
	}
}

/** What the call of a transaction returns on the state before its block; undefined if it does not fail there. */
async function replay(
	endpoints: Endpoints,
	hash: string,
): Promise<{ data: string; error: string } | undefined> {
	const transaction = await endpoints.seek(transactionIn, 'eth_getTransactionByHash', [hash]);
	const { place } = transaction ?? {};
	if (!transaction || !place) return undefined;
	const { from, to, input, value, gas } = transaction.answer;
	const before = `0x${(place.blockNumber - 1).toString(16)}`;
	try {
		await endpoints.call('eth_call', [{ from, to, data: input, value, gas }, before]);
		return undefined;
	} catch (error) {
		if (!(error instanceof ContractRefusal)) throw error;
		return { data: error.data, error: '' };
	}
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
): Promise<string> {
	const failure = (await trace(endpoints, hash)) ?? (await replay(endpoints, hash));
	if (!failure) return 'The transaction reverted; its reason cannot be read';
	const { data, error } = failure;
	return data === '0x' && OUT_OF_GAS.test(error) ? NO_GAS : readRevert(data);
}
