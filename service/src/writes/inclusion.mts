import { blockWith, receiptIn, transactionIn, type Block } from '../rpc/blocks.mts';
import type { Endpoint } from '../rpc/endpoint.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Outcome } from '../rpc/outcomes.mts';
import { MAX_LAG, noteWhether } from '../rpc/heads.mts';
import type { Inclusion } from '../store/open-writes.mts';

/** A transaction in a block of the chain. */
export interface ProvenInclusion extends Inclusion {
	/** The receipt; undefined if no endpoint has it, or they disagree about it. */
	receipt: Record<string, unknown> | undefined;
	/** Whether as many endpoints have such a receipt as must agree. */
	isCertain: boolean;
	/** Whether receipts contradict each other about the result. */
	isDisputed: boolean;
	/** Time of the block, in seconds since 1970; undefined if it cannot be read. */
	time: number | undefined;
	/** The endpoints that show the transaction in the block. */
	witnesses: readonly Endpoint[];
}

const hex = (number: number) => `0x${number.toString(16)}`;

/** The block with a number in the chain, by each endpoint that answers. @throws ChainUnavailable if none answers */
const blocksAt = async (
	endpoints: Endpoints,
	blockNumber: number,
): Promise<Outcome<Block | undefined>[]> =>
	await endpoints.outcomes(blockWith(blockNumber), 'eth_getBlockByNumber', [
		hex(blockNumber),
		false,
	]);

/** The block in an outcome; undefined if the endpoint has none. */
const blockOf = (outcome: Outcome<Block | undefined>): Block | undefined =>
	outcome.refusal ? undefined : outcome.answer;

/** Whether a block has a transaction; undefined if that cannot be read. */
function hasIt(block: Block, { hash, blockHash }: Omit<Inclusion, 'blockNumber' | 'status'>) {
	return block.hash === blockHash ? block.transactions?.includes(hash) : false;
}

/** What the endpoints say about a transaction that was in a block: it still is, another block is there, or they leave it open. */
export type Standing = 'in block' | 'undone' | 'open';

/**
 * Whether several transactions are still in their blocks, which have one number. All endpoints that have a block of that number
 * must agree, or as many as must; those that have none have not come so far, and say nothing.
 *
 * @throws ChainUnavailable if none answers
 */
export async function standingsOf<T extends Omit<Inclusion, 'status'>>(
	endpoints: Endpoints,
	blockNumber: number,
	places: readonly T[],
): Promise<[T, Standing][]> {
	const blocks = (await blocksAt(endpoints, blockNumber)).flatMap((outcome) => {
		return blockOf(outcome) ?? [];
	});
	return places.map((place) => {
		const having = blocks.filter((block) => hasIt(block, place) !== false).length;
		const others = blocks.length - having;
		const { quorum } = endpoints;
		if (having >= quorum || (having > 0 && others === 0)) return [place, 'in block'];
		return [place, others >= quorum ? 'undone' : 'open'];
	});
}

/**
 * Looks whether a transaction is in a block: one endpoint shows it, and none that follows the chain shows it otherwise.
 *
 * @returns the block, and the endpoints that show the transaction in it; undefined if it is not in it, or that is open
 * @throws ChainUnavailable if no endpoint answers
 */
export async function witness(
	endpoints: Endpoints,
	hash: string,
	{ blockNumber, blockHash }: Pick<Inclusion, 'blockNumber' | 'blockHash'>,
): Promise<{ block: Block; witnesses: Endpoint[] } | undefined> {
	if (BigInt(blockNumber) > endpoints.bound) return undefined;
	const outcomes = await blocksAt(endpoints, blockNumber);
	const place = { hash, blockHash };
	const showing = outcomes.flatMap((outcome) => {
		const block = blockOf(outcome);
		return block && hasIt(block, place) === true ? { block, endpoint: outcome.endpoint } : [];
	});
	const [first] = showing;
	if (!first) return undefined;
	const seen = { block: first.block, witnesses: showing.map(({ endpoint }) => endpoint) };
	if (showing.length >= endpoints.quorum) return seen;
	// An endpoint that is far behind cannot have it.
	const isContradicted = outcomes.some((outcome) => {
		const isFarBehind = outcome.endpoint.head + MAX_LAG < BigInt(blockNumber);
		const other = blockOf(outcome);
		return other === undefined ? !isFarBehind : hasIt(other, place) === false;
	});
	return isContradicted ? undefined : seen;
}

/** The receipt of a transaction by each endpoint that answers; undefined if it has none. @throws ChainUnavailable if none answers */
async function receiptsOf(endpoints: Endpoints, hash: string) {
	const outcomes = await endpoints.outcomes(receiptIn, 'eth_getTransactionReceipt', [hash]);
	return outcomes.map((outcome) => {
		const receipt = outcome.refusal ? undefined : outcome.answer;
		return { endpoint: outcome.endpoint, receipt: receipt?.hash === hash ? receipt : undefined };
	});
}

/**
 * A transaction in a block, with what the receipts say: they must not contradict each other.
 *
 * @throws ChainUnavailable if no endpoint answers
 */
export async function proveIn(
	endpoints: Endpoints,
	hash: string,
	place: Pick<Inclusion, 'blockNumber' | 'blockHash'>,
): Promise<ProvenInclusion | undefined> {
	const [seen, receipts] = await Promise.all([
		witness(endpoints, hash, place),
		receiptsOf(endpoints, hash),
	]);
	if (!seen) return undefined;
	const here = receipts.flatMap(({ endpoint, receipt }) => {
		const isHere = receipt?.blockHash === place.blockHash;
		noteWhether(endpoint, isHere);
		return isHere ? receipt : [];
	});
	const [receipt] = here;
	const statuses = new Set(here.map(({ status }) => status));
	const status = statuses.size === 1 ? receipt?.status : undefined;
	const { blockNumber, blockHash } = place;
	return {
		hash,
		blockNumber,
		blockHash,
		status: status ?? null,
		receipt: status === undefined ? undefined : receipt?.answer,
		isCertain: status !== undefined && here.length >= endpoints.quorum,
		isDisputed: statuses.size > 1,
		time: seen.block.time,
		witnesses: seen.witnesses,
	};
}

/** Where each endpoint shows a transaction that it knows; undefined for no block. @throws ChainUnavailable if none answers */
async function placesBy(endpoints: Endpoints, hash: string) {
	const outcomes = await endpoints.outcomes(transactionIn, 'eth_getTransactionByHash', [hash]);
	const places = outcomes.flatMap((outcome) => {
		const found = outcome.refusal ? undefined : outcome.answer;
		return found?.hash === hash ? [found.place] : [];
	});
	return { places, answering: outcomes.length };
}

/** What is found of a transaction. */
export interface Finding {
	/** Its block, if it is part of the chain. */
	inclusion: ProvenInclusion | undefined;
	/** How many endpoints know it. */
	knowing: number;
	/** How many were asked for it and answered. */
	answering: number;
	/** Numbers of the blocks in which endpoints show it, also of those that cannot exist yet. */
	blocks: number[];
}

/**
 * Looks for the block of a transaction. A receipt alone can be of a block that was undone, and may be late: a block with the
 * transaction proves it, too.
 *
 * @throws ChainUnavailable if none answers
 */
export async function lookFor(endpoints: Endpoints, hash: string): Promise<Finding> {
	const blocks: number[] = [];
	const prove = async (
		places: readonly ({ blockNumber: number; blockHash: string } | undefined)[],
	) => {
		for (const place of places) {
			if (!place) continue;
			blocks.push(place.blockNumber);
			if (BigInt(place.blockNumber) > endpoints.bound) continue;
			const inclusion = await proveIn(endpoints, hash, place);
			if (inclusion) return inclusion;
		}
		return undefined;
	};
	const told = await receiptsOf(endpoints, hash);
	const receipts = told.flatMap(({ receipt }) => receipt ?? []);
	const byReceipt = await prove(receipts);
	const byReceipts = { knowing: receipts.length, answering: told.length };
	if (byReceipt) return { inclusion: byReceipt, ...byReceipts, blocks };
	const { places, answering } = await placesBy(endpoints, hash);
	const knowing = Math.max(receipts.length, places.length);
	return { inclusion: await prove(places), knowing, answering, blocks };
}

/** The block of a transaction, if it is part of the chain. @throws ChainUnavailable if no endpoint answers */
export const findInclusion = async (
	endpoints: Endpoints,
	hash: string,
): Promise<ProvenInclusion | undefined> => (await lookFor(endpoints, hash)).inclusion;

/**
 * The receipts by which endpoints confirm a transaction in a block, with the same block and status.
 *
 * @throws ChainUnavailable if none answers
 */
export async function confirmations(
	endpoints: Endpoints,
	{ hash, blockHash, status }: Omit<Inclusion, 'blockNumber'>,
): Promise<Record<string, unknown>[]> {
	const receipts = await receiptsOf(endpoints, hash);
	return receipts.flatMap(({ receipt }) => {
		const isEqual = receipt?.blockHash === blockHash && receipt.status === status;
		return isEqual ? [receipt.answer] : [];
	});
}

/**
 * How many endpoints confirm the result of a transaction in a block, and whether any contradicts it.
 *
 * @throws ChainUnavailable if none answers
 */
export async function supportOf(
	endpoints: Endpoints,
	{ hash, blockHash, status }: Omit<Inclusion, 'blockNumber'>,
): Promise<{ isConfirmed: boolean; isContradicted: boolean }> {
	const receipts = await receiptsOf(endpoints, hash);
	const here = receipts.flatMap(({ receipt }) => (receipt?.blockHash === blockHash ? receipt : []));
	const equal = here.filter((receipt) => receipt.status === status);
	return {
		isConfirmed: equal.length >= endpoints.quorum,
		isContradicted: equal.length < here.length,
	};
}
