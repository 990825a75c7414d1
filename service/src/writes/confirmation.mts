import type { RevertReader } from '../abi/revert.mts';
import type { Spending } from '../limits/spending.mts';
import { quantity, record } from '../rpc/client.mts';
import { ChainUnavailable, type Endpoints } from '../rpc/endpoints.mts';
import { compareNonce, markFinal, markMined, markUnmined } from '../store/open-writes.mts';
import { hasReservations } from '../store/spends.mts';
import { closeForForeign } from '../store/wallets.mts';
import type { Inclusion, MinedWrite, UnminedWrite } from '../store/open-writes.mts';
import type { Database, TransferRow, WalletRow } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import type { Observer } from './events.mts';
import { blockHashAt, findInclusion, gasPaid, type ProvenInclusion } from './inclusion.mts';
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

const hex = (number: number) => `0x${number.toString(16)}`;

/** The request for the number of transactions that the chain has of a wallet. */
const countOf = (address: string, block = 'latest'): [method: string, params: string[]] => [
	'eth_getTransactionCount',
	[address, block],
];

/** Compares the writes with the chain. Only a receipt in a block of the chain decides what becomes of one. */
export class Confirmation {
	readonly #ports: ConfirmationPorts;
	/** Blocks of the chain in which the nonce of a write is used, but by none of its transactions; by ID of the write. */
	readonly #foreign = new Map<string, { number: number; hash: string }>();

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
		const { next_nonce: next = 0, is_compared: isCompared = 0 } =
			(await walletById(this.#ports.db, wallet.id)) ?? {};
		if (isCompared === 1 && (await this.#countOf(wallet.address)) <= next) return;
		const { least, most } = await this.#countsOf(wallet.address);
		if (isCompared === 1 ? least <= next && next < most : least < most) {
			throw new ChainUnavailable(
				`The endpoints disagree about the transactions of ${wallet.address}`,
			);
		}
		await this.#compareWith(wallet, least);
	}

	/** Number of transactions that the chain has of a wallet. */
	async #countOf(address: string): Promise<number> {
		return Number(quantity(await this.#ports.endpoints.call(...countOf(address))));
	}

	/** The same by the endpoints that know fewest and most: one alone must not close a wallet, nor give a new one its first nonce. */
	async #countsOf(address: string): Promise<{ least: number; most: number }> {
		const counts = await this.#ports.endpoints.askAnswering(...countOf(address), quantity);
		const numbers = counts.map(Number);
		return { least: Math.min(...numbers), most: Math.max(...numbers) };
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
			const hash = await blockHashAt(this.#ports.endpoints, blockNumber);
			if (hash === undefined || hash === blockHash) return;
			await this.#takeBack(id);
		}
	}

	/** Ends the oldest writes that no reorganisation reaches any more. */
	async finalise(newestFirst: MinedWrite[]): Promise<void> {
		if (newestFirst.length === 0) return;
		const { endpoints, depth } = this.#ports;
		const final = await endpoints.finalBlock(depth);
		const due = newestFirst.filter(({ blockNumber }) => BigInt(blockNumber) <= final);
		const blocks = Map.groupBy(due.reverse(), ({ blockNumber }) => blockNumber);
		const endBlock = async ([number, writes]: [number, MinedWrite[]]): Promise<void> => {
			const hash = await blockHashAt(endpoints, number);
			for (const write of writes) {
				if (hash === write.blockHash) await this.#end(write);
				// Its block was undone long ago.
				else if (hash !== undefined) await this.#takeBack(write.id);
			}
		};
		await Promise.all([...blocks].slice(0, BLOCKS_AT_ONCE).map(endBlock));
	}

	async #takeBack(id: string): Promise<void> {
		await markUnmined(this.#ports.db, id);
		this.#ports.observe({ kind: 'undone' });
	}

	/** Ends a write. What it counts against a limit is settled only with the receipt, which an endpoint may lack for a while. */
	async #end(write: MinedWrite): Promise<void> {
		const { db, endpoints, spending, observe } = this.#ports;
		if (await hasReservations(db, write.id)) {
			const receipt = record(await endpoints.call('eth_getTransactionReceipt', [write.hash]));
			if (receipt?.blockHash !== write.blockHash) return;
			const isDone = write.kind === 'call' && quantity(receipt.status) === 1n;
			const gas = gasPaid(receipt);
			const native = gas === undefined ? undefined : gas + (isDone ? write.value : 0n);
			await markFinal(db, write, { isDone, native, at: spending.now });
		} else {
			await markFinal(db, write);
		}
		const mined = write.isReverted ? 'reverted' : 'succeeded';
		const outcome = write.kind === 'call' ? mined : 'cancelled';
		observe({ kind: 'ended', id: write.id, outcome });
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
		const count = await this.#countOf(address);
		if (count > wallet.next_nonce) {
			await this.#compareWith(wallet, (await this.#countsOf(address)).least);
		}
		const used = unmined.filter(({ write }) => write.nonce < count);
		await Promise.all(
			used.map(async (one) => {
				const inclusion = await this.#inclusionOf(one);
				if (!inclusion) return await this.#suspect(one, address);
				await markMined(this.#ports.db, one.write.id, inclusion, {
					revertReason: await this.#reasonOf(inclusion),
					transfers: await this.#transfersIn(inclusion),
				});
				this.#foreign.delete(one.write.id);
			}),
		);
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
	 * key, or the endpoint lags behind. It is proven if a block in which the nonce is used becomes final, and no endpoint has a
	 * receipt then.
	 */
	async #suspect({ write, attempts }: UnminedWrite, address: string): Promise<void> {
		const { db, endpoints, depth, observe } = this.#ports;
		const seen = this.#foreign.get(write.id);
		if (!seen) {
			const { block: number, hash } = await endpoints.newest();
			const count = await endpoints.call(...countOf(address, hex(number)));
			if (Number(quantity(count)) <= write.nonce) return;
			this.#foreign.set(write.id, { number, hash });
			return;
		}
		if (BigInt(seen.number) > (await endpoints.finalBlock(depth))) return;
		const isPartOfChain = (await blockHashAt(endpoints, seen.number)) === seen.hash;
		if (!isPartOfChain) {
			this.#foreign.delete(write.id);
			return;
		}
		const counts = await endpoints.askAll(...countOf(address));
		if (counts.some((count) => Number(quantity(count)) <= write.nonce)) return;
		for (const { hash } of attempts) {
			const receipts = await endpoints.askAll('eth_getTransactionReceipt', [hash]);
			if (receipts.some((receipt) => receipt !== null)) return;
		}
		const reason = await closeForForeign(db, write);
		observe({ kind: 'ended', id: write.id, outcome: 'foreign' });
		if (reason !== undefined) observe({ kind: 'closed', wallet: address, reason });
		this.#foreign.delete(write.id);
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
