import type { RevertReader } from '../abi/revert.mts';
import type { Spending } from '../limits/spending.mts';
import { countOf, countsOf } from '../chain/transaction-counts.mts';
import { quantity } from '../rpc/client.mts';
import { ChainUnavailable, type Endpoints } from '../rpc/endpoints.mts';
import { compareNonce, markFinal, markMined, markUnmined } from '../store/open-writes.mts';
import { closeForForeign } from '../store/wallets.mts';
import type { Inclusion, MinedWrite, UnminedWrite } from '../store/open-writes.mts';
import type { Database, TransferRow, WalletRow } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import type { Observer } from './events.mts';
import { blockAt, compareReceipts, findInclusion, gasPaid, isIn, prove } from './inclusion.mts';
import type { ProvenInclusion } from './inclusion.mts';
import { readReason } from './revert-reason.mts';
import { rowsInReceipt } from '../history/rows.mts';

export interface ConfirmationPorts {
	db: Database;
	endpoints: Endpoints;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	readRevert: RevertReader;
	spending: Spending;
	log(problem: string, error: unknown): void;
	observe: Observer;
}

/** Maximum number of blocks that one round compares with the chain. */
const BLOCKS_AT_ONCE = 20;

/** Pause before a write in a final block that the endpoints do not confirm is compared again, in milliseconds. */
const DISPUTED_EVERY_MS = 5_000;

const hex = (number: number) => `0x${number.toString(16)}`;

/** Compares the writes with the chain. Only a receipt in a block of the chain decides what becomes of one. */
export class Confirmation {
	readonly #ports: ConfirmationPorts;
	/** Blocks of the chain in which the nonce of a write is used, but by none of its transactions; by ID of the write. */
	readonly #foreign = new Map<string, { number: number; hash: string }>();
	/** Writes in final blocks that the endpoints did not confirm, how often, and when the last time; by ID of the write. */
	readonly #disputed = new Map<string, { times: number; at: number }>();

	constructor(ports: ConfirmationPorts) {
		this.#ports = ports;
	}

	/** Compares wallets with the chain: after the database was set back, those that the chain is ahead of are closed. */
	async compare(wallets: readonly WalletRow[]): Promise<void> {
		await Promise.all(wallets.map((wallet) => this.compareOne(wallet)));
	}

	/**
	 * Compares a wallet with the chain, and closes it if the chain is ahead. A new one takes its first nonce from it.
	 *
	 * @throws ChainUnavailable if the endpoints disagree about that
	 */
	async compareOne(wallet: Pick<WalletRow, 'id' | 'address'>): Promise<void> {
		const { db, endpoints } = this.#ports;
		const { next_nonce: next = 0, is_compared: isCompared = 0 } =
			(await walletById(db, wallet.id)) ?? {};
		if (isCompared === 1 && (await countOf(endpoints, wallet.address)) <= next) return;
		const { least, most } = await countsOf(endpoints, wallet.address, { known: next });
		if (isCompared === 1 ? least <= next && next < most : least < most) {
			throw new ChainUnavailable(
				`The endpoints disagree about the transactions of ${wallet.address}`,
			);
		}
		await this.#compareWith(wallet, least);
	}

	async #compareWith(
		{ id, address: wallet }: Pick<WalletRow, 'id' | 'address'>,
		count: number,
	): Promise<void> {
		const reason = await compareNonce(this.#ports.db, id, count);
		if (reason !== undefined) this.#ports.observe({ kind: 'closed', wallet, reason });
	}

	/** Takes back what a reorganisation undid. Blocks below one that remains also remain. */
	async takeBackUndone(newestFirst: MinedWrite[]): Promise<void> {
		for (const { id, blockNumber, blockHash } of newestFirst) {
			const block = await blockAt(this.#ports.endpoints, blockNumber);
			if (!block || block.hash === blockHash) return;
			await this.#takeBack(id);
		}
	}

	/** Ends the oldest writes that no reorganisation reaches any more. */
	async finalise(newestFirst: MinedWrite[]): Promise<void> {
		if (newestFirst.length === 0) return;
		const { endpoints, depth } = this.#ports;
		const final = await endpoints.finalBlock(depth);
		const since = performance.now() - DISPUTED_EVERY_MS;
		const due = newestFirst.filter(({ id, blockNumber }) => {
			return BigInt(blockNumber) <= final && (this.#disputed.get(id)?.at ?? since) <= since;
		});
		const blocks = Map.groupBy(due.reverse(), ({ blockNumber }) => blockNumber);
		const endBlock = async ([number, writes]: [number, MinedWrite[]]): Promise<void> => {
			const block = await blockAt(endpoints, number);
			if (!block) return;
			for (const write of writes) {
				if (block.hash === write.blockHash) await this.#end(write, isIn(block, write.hash));
				// Its block was undone long ago.
				else await this.#takeBack(write.id);
			}
		};
		await Promise.all([...blocks].slice(0, BLOCKS_AT_ONCE).map(endBlock));
	}

	async #takeBack(id: string): Promise<void> {
		await markUnmined(this.#ports.db, id);
		this.#ports.observe({ kind: 'undone' });
	}

	/**
	 * Ends a write that enough endpoints confirm. If none does, its receipt was invented or is forgotten: it is taken back,
	 * unless the block has its transaction.
	 */
	async #end(write: MinedWrite, isInBlock: boolean): Promise<void> {
		const { db, endpoints, spending, observe } = this.#ports;
		const { id, kind, hash, blockHash, isReverted } = write;
		const inclusion = { hash, blockHash, status: isReverted ? 0 : 1 };
		const { equal, areOthers } = await compareReceipts(endpoints, inclusion);
		if (equal.length === 0 && (areOthers || !isInBlock)) return await this.#takeBack(id);
		if (equal.length < endpoints.quorum) return this.#dispute(write);
		const isDone = kind === 'call' && !isReverted;
		// Without one price, what was reserved counts.
		const [gas, ...otherPrices] = new Set(equal.map(gasPaid));
		const isKnown = gas !== undefined && otherPrices.length === 0;
		const native = isKnown ? gas + (isDone ? write.value : 0n) : undefined;
		await markFinal(db, write, { isDone, native, at: spending.now });
		this.#disputed.delete(id);
		const mined = isReverted ? 'reverted' : 'succeeded';
		observe({ kind: 'ended', id, outcome: kind === 'call' ? mined : 'cancelled' });
	}

	/** A write remains open while too few endpoints confirm it. A lost answer is nothing to report. */
	#dispute({ id, hash }: MinedWrite): void {
		const times = (this.#disputed.get(id)?.times ?? 0) + 1;
		this.#disputed.set(id, { times, at: performance.now() });
		if (times === 2) this.#ports.observe({ kind: 'disputed', id, hash });
	}

	/**
	 * Confirms the writes of one wallet that are in a block.
	 *
	 * @returns the first nonce that the chain has not used, which is a floor only: an endpoint may lag behind
	 */
	async confirm(unmined: UnminedWrite[]): Promise<number> {
		const [first] = unmined;
		const wallet = first && (await walletById(this.#ports.db, first.write.wallet_id));
		if (!wallet) return 0;
		const { address } = wallet;
		const { endpoints } = this.#ports;
		const count = await countOf(endpoints, address);
		const used = unmined.filter(({ write }) => write.nonce < count);
		await Promise.all(
			used.map(async (one) => {
				const inclusion = (await this.#inclusionOf(one)) ?? (await this.#suspect(one, address));
				if (!inclusion) return;
				await markMined(this.#ports.db, one.write.id, inclusion, {
					revertReason: await this.#reasonOf(inclusion),
					transfers: await this.#transfersIn(inclusion),
				});
				this.#foreign.delete(one.write.id);
			}),
		);
		// Last: it fails while too few endpoints report the number.
		if (count > wallet.next_nonce) {
			await this.#compareWith(wallet, (await countsOf(endpoints, address)).least);
		}
		return count;
	}

	async #inclusionOf({ attempts }: UnminedWrite): Promise<ProvenInclusion | undefined> {
		for (const { hash } of attempts) {
			const inclusion = await findInclusion(this.#ports.endpoints, hash);
			if (inclusion) return inclusion;
		}
		return undefined;
	}

	/**
	 * A write whose nonce the chain has used, though none of its transactions is in a block: another program signed with the
	 * key, or the endpoint lags behind or hides the receipt. It is proven if a block in which the nonce is used becomes final,
	 * and no endpoint has a receipt then.
	 *
	 * @returns what the receipt of another endpoint shows
	 */
	async #suspect(
		{ write, attempts }: UnminedWrite,
		address: string,
	): Promise<ProvenInclusion | undefined> {
		const { db, endpoints, depth, observe } = this.#ports;
		const seen = this.#foreign.get(write.id);
		if (!seen) {
			const { block: number, hash } = await endpoints.newest();
			const count = await countOf(endpoints, address, hex(number));
			if (count > write.nonce) this.#foreign.set(write.id, { number, hash });
			return undefined;
		}
		if (BigInt(seen.number) > (await endpoints.finalBlock(depth))) return undefined;
		const isPartOfChain = (await blockAt(endpoints, seen.number))?.hash === seen.hash;
		if (!isPartOfChain) {
			this.#foreign.delete(write.id);
			return undefined;
		}
		const counts = await endpoints.askAll('eth_getTransactionCount', [address, 'latest']);
		if (counts.some((count) => Number(quantity(count)) <= write.nonce)) return undefined;
		for (const { hash } of attempts) {
			const receipts = await endpoints.askAll('eth_getTransactionReceipt', [hash]);
			const found = receipts.find((receipt) => receipt !== null);
			if (found !== undefined) return await prove(endpoints, hash, found);
		}
		const reason = await closeForForeign(db, write);
		observe({ kind: 'ended', id: write.id, outcome: 'foreign' });
		if (reason !== undefined) observe({ kind: 'closed', wallet: address, reason });
		this.#foreign.delete(write.id);
		return undefined;
	}

	/** The transfers in a receipt: the history lists them at once. What cannot be read here is read with the block. */
	async #transfersIn({ receipt, time }: ProvenInclusion): Promise<TransferRow[]> {
		return await rowsInReceipt(this.#ports.db, receipt, time).catch((error: unknown) => {
			this.#ports.log('The transfers in a receipt were not read', error);
			return [];
		});
	}

	/** Why a transaction reverted: read at once, because endpoints soon forget the state of a block. */
	async #reasonOf({ hash, status }: Inclusion): Promise<string | null> {
		if (status === 1) return null;
		const { endpoints, readRevert, log } = this.#ports;
		return await readReason(endpoints, readRevert, hash).catch((error: unknown) => {
			log('The reason of a revert was not read', error);
			return null;
		});
	}
}
