/** Finds the transaction that has used a nonce of a wallet. Only with it in hand is it known what became of a write. */
import { toQuantity } from 'ethers';
import { blockIn, transactionIn } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { EndpointFailure } from '../rpc/failures.mts';
import { address as addressIn, ifReadable, index, list, record } from '../rpc/values.mts';

/** A transaction of a wallet in a block, as one endpoint shows it. */
export interface NonceUse {
	hash: string;
	blockNumber: number;
	blockHash: string;
}

/** The wallet and the nonce that is looked for. */
interface Wanted {
	/** In any letter case. */
	address: string;
	nonce: number;
}

/** Maximum number of blocks that one look reads whole. */
const WALK = 32;

/** Number of the wallet's transactions up to a block; undefined if the endpoint has forgotten its state. */
async function countAt(client: RpcClient, { address }: Wanted, block: number) {
	const params = [address, toQuantity(block)];
	return await client.call('eth_getTransactionCount', params).then(index, (error: unknown) => {
		if (error instanceof EndpointFailure && error.isRefusal) return undefined;
		throw error;
	});
}

/** The wallet's transaction with the nonce in a block. @returns undefined if the block has none */
async function useIn(
	client: RpcClient,
	{ address, nonce }: Wanted,
	number: number,
): Promise<NonceUse | undefined> {
	const answer = await client.call('eth_getBlockByNumber', [toQuantity(number), true]);
	const block = blockIn(answer);
	if (block?.number !== number) return undefined;
	const wallet = address.toLowerCase();
	for (const one of list(record(answer)?.transactions)) {
		// Networks have transactions of their own kinds, which cannot be the wallet's.
		const from = ifReadable(addressIn, record(one)?.from);
		const found = from === wallet ? transactionIn(one) : undefined;
		if (found?.nonce !== nonce) continue;
		return { hash: found.hash, blockNumber: number, blockHash: block.hash };
	}
	return undefined;
}

/**
 * The last block in which the nonce is used, for as far back as the endpoint has states.
 *
 * @param to a block in which it is used
 * @returns the first such block that is known, and the last one in which it is free
 */
async function narrow(client: RpcClient, wanted: Wanted, to: number) {
	let [used, free] = [to, -1];
	let hasState = true;
	const look = async (block: number): Promise<void> => {
		const count = await countAt(client, wanted, block);
		if (count === undefined) hasState = false;
		else if (count > wanted.nonce) used = block;
		else free = block;
	};
	for (let back = 1; hasState && free < 0 && used > 0; back *= 2) {
		await look(Math.max(0, to - back));
	}
	while (hasState && used - free > 1) await look(Math.floor((used + free) / 2));
	return { used, free };
}

/**
 * Looks for the transaction that has used a nonce, at one endpoint after the other. Endpoints that have forgotten old states
 * are walked back block by block, in several looks.
 *
 * @param before the block below which an earlier look has ended
 * @returns the transaction, or the block below which the next look begins; neither if no endpoint shows the nonce as used
 * @throws ChainUnavailable if no endpoint answers
 */
export async function findNonceUse(
	endpoints: Endpoints,
	wanted: Wanted,
	before?: number,
): Promise<{ use?: NonceUse; before?: number }> {
	let next: number | undefined;
	for (const client of endpoints.clients()) {
		try {
			const to = before ?? Number(endpoints.head);
			const count = await countAt(client, wanted, to);
			if (count === undefined || count <= wanted.nonce) continue;
			const { used, free } = await narrow(client, wanted, to);
			const last = Math.max(free + 1, used - WALK + 1);
			for (let block = used; block >= last; block--) {
				const use = await useIn(client, wanted, block);
				if (use) return { use };
			}
			if (last > free + 1) next = last - 1;
		} catch (error) {
			if (!(error instanceof EndpointFailure)) throw error;
		}
	}
	return next === undefined ? {} : { before: next };
}
