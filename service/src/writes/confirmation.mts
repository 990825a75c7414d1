import type { RevertReader } from '../abi/revert.mts';
import type { Spending } from '../limits/spending.mts';
import { allCounts, countsOf, noteStale } from '../chain/transaction-counts.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { markFinal, markMined, markOutcome, markUnmined } from '../store/open-writes.mts';
import type { Effects, MinedWrite, UnminedWrite } from '../store/open-writes.mts';
import { compareNonce } from '../store/wallets.mts';
import type { Database, WalletRow } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import { boundedCost } from './bounded-cost.mts';
import type { Observer } from './events.mts';
import { confirmations, findInclusion, proveIn, stillIn } from './inclusion.mts';
import type { ProvenInclusion } from './inclusion.mts';
import { OpenQuestions } from './open-questions.mts';
import { readReason } from './revert-reason.mts';
import { reviveAll, Supplanted } from './supplanted.mts';
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

/** Maximum number of writes, and of their blocks, that one round compares with the chain. */
const AT_ONCE = 20;
const BLOCKS_AT_ONCE = 40;

/** Pause before a write in a final block that the endpoints do not confirm is compared again, in milliseconds. */
const DISPUTED_EVERY_MS = 5_000;

/** Compares the writes with the chain. Only what the endpoints agree about decides what becomes of one. */
export class Confirmation {
	readonly #ports: ConfirmationPorts;
	/** What is not known about writes. */
	readonly questions = new OpenQuestions();
	readonly #supplanted: Supplanted;
	/** Writes in final blocks that the endpoints did not confirm, how often, and when the last time; by ID of the write. */
	readonly #disputed = new Map<string, { times: number; at: number }>();
	/** Where the next round begins among the blocks with writes. */
	#turn = 0;

	constructor(ports: ConfirmationPorts) {
		this.#ports = ports;
		this.#supplanted = new Supplanted(ports, this.questions);
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
		const known = isCompared === 1 ? { known: next } : {};
		const { least, most } = await countsOf(endpoints, wallet.address, known);
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

	/** Takes back that writes were replaced whose own transactions are in blocks, as an older version recorded. */
	async reviveSupplanted(): Promise<void> {
		await reviveAll(this.#ports);
	}

	/**
	 * Takes back what a reorganisation undid, and what an endpoint invented. The newest blocks are compared in each round, the
	 * others in turn: one block that remains says nothing about others if an endpoint has invented it.
	 */
	async takeBackUndone(newestFirst: readonly MinedWrite[]): Promise<void> {
		const blocks = [...Map.groupBy(newestFirst, ({ blockNumber }) => blockNumber)];
		const newest = blocks.slice(0, BLOCKS_AT_ONCE / 2);
		const others = blocks.slice(BLOCKS_AT_ONCE / 2);
		if (this.#turn >= others.length) this.#turn = 0;
		const due = [...newest, ...others.slice(this.#turn, this.#turn + BLOCKS_AT_ONCE / 2)];
		this.#turn += BLOCKS_AT_ONCE / 2;
		await Promise.all(
			due.map(async ([blockNumber, writes]) => {
				const remaining = await stillIn(this.#ports.endpoints, blockNumber, writes);
				const undone = writes.filter((write) => !remaining.includes(write));
				await Promise.all(undone.map(async ({ id }) => await this.#takeBack(id)));
			}),
		);
	}

	/** Ends the oldest writes that no reorganisation reaches any more. */
	async finalise(newestFirst: readonly MinedWrite[]): Promise<void> {
		if (newestFirst.length === 0) return;
		const { endpoints, depth } = this.#ports;
		const final = await endpoints.finalBlock(depth);
		const since = performance.now() - DISPUTED_EVERY_MS;
		const due = newestFirst.filter(({ id, blockNumber, status }) => {
			const isDue = BigInt(blockNumber) <= final || status === null;
			return isDue && (this.#disputed.get(id)?.at ?? since) <= since;
		});
		const oldest = due.toReversed().slice(0, AT_ONCE);
		await Promise.all(
			oldest.map(async (write) => {
				await (BigInt(write.blockNumber) <= final ? this.#end(write) : this.#learn(write));
			}),
		);
	}

	async #takeBack(id: string): Promise<void> {
		await markUnmined(this.#ports.db, id);
		this.questions.answered(id);
		this.#ports.observe({ kind: 'undone' });
	}

	/**
	 * Ends a write that enough endpoints confirm. If none shows its transaction in the block, its receipt was invented: it is
	 * taken back.
	 */
	async #end(write: MinedWrite): Promise<void> {
		const { db, endpoints, spending, observe } = this.#ports;
		const { id, kind, status } = write;
		if (!(await this.#learn(write)) || status === null) return;
		const receipts = await confirmations(endpoints, write);
		if (receipts.length < endpoints.quorum) return this.#dispute(write);
		const isDone = kind === 'call' && status === 1;
		// Without one price, what was reserved counts.
		const prices = receipts.map((receipt) => boundedCost(write, receipt));
		const [gas, ...otherPrices] = new Set(prices);
		const isKnown = gas !== undefined && otherPrices.length === 0;
		const native = isKnown ? gas + (isDone ? write.value : 0n) : undefined;
		await markFinal(db, write, { isDone, native, at: await spending.now(db) });
		this.#disputed.delete(id);
		this.questions.answered(id);
		const mined = status === 0 ? 'reverted' : 'succeeded';
		observe({ kind: 'ended', id, outcome: kind === 'call' ? mined : 'cancelled' });
	}

	/** Learns whether a transaction in a block succeeded. @returns whether what is recorded is what the endpoints say */
	async #learn(write: MinedWrite): Promise<boolean> {
		const { db, endpoints } = this.#ports;
		const found = await proveIn(endpoints, write.hash, write);
		if (!found) {
			const [remaining] = await stillIn(endpoints, write.blockNumber, [write]);
			if (remaining) this.#dispute(write);
			else await this.#takeBack(write.id);
			return false;
		}
		if (found.status === null) {
			const text = `It is in block ${write.blockNumber}; whether it succeeded is not known yet`;
			this.questions.ask(write.id, text);
		} else this.questions.answered(write.id);
		if (found.status === write.status) return true;
		await markOutcome(db, write.id, found, await this.#effectsOf(found));
		return false;
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
	 * @returns the first nonce that the chain has not used by every endpoint, and the one by any of them
	 */
	async confirm(unmined: UnminedWrite[]): Promise<{ least: number; most: number }> {
		const [first] = unmined;
		const wallet = first && (await walletById(this.#ports.db, first.write.wallet_id));
		if (!wallet) return { least: 0, most: 0 };
		const { endpoints } = this.#ports;
		const { address, next_nonce: next } = wallet;
		const all = await allCounts(endpoints, address);
		const numbers = all.map(({ count }) => count);
		const counts = { least: Math.min(...numbers), most: Math.max(...numbers) };
		const used = unmined.filter(({ write }) => write.nonce < counts.most);
		await Promise.all(
			used.map(async (one) => {
				const inclusion =
					(await this.#inclusionOf(one)) ?? (await this.#supplanted.look(one, address));
				if (!inclusion) return;
				await markMined(this.#ports.db, one.write.id, inclusion, await this.#effectsOf(inclusion));
				this.questions.answered(one.write.id);
				await noteStale(endpoints, { address, nonce: one.write.nonce }, all, inclusion);
			}),
		);
		// Last: it fails while too few endpoints report the number.
		if (counts.most > next) {
			await this.#compareWith(wallet, (await countsOf(endpoints, address, { known: next })).least);
		}
		return counts;
	}

	async #inclusionOf({ attempts }: UnminedWrite): Promise<ProvenInclusion | undefined> {
		for (const { hash } of attempts) {
			const inclusion = await findInclusion(this.#ports.endpoints, hash);
			if (inclusion) return inclusion;
		}
		return undefined;
	}

	/** What a receipt says: the history lists the transfers at once. What cannot be read here is read with the block. */
	async #effectsOf({ hash, status, receipt, time }: ProvenInclusion): Promise<Effects> {
		const { db, endpoints, readRevert, log } = this.#ports;
		const isReadable = status === 1 && receipt !== undefined && time !== undefined;
		const rows = isReadable ? rowsInReceipt(db, receipt, time) : [];
		const transfers = await Promise.resolve(rows).catch((error: unknown) => {
			log('The transfers in a receipt were not read', error);
			return [];
		});
		if (status !== 0) return { revertReason: null, transfers };
		// Read at once, because endpoints soon forget the state of a block.
		const revertReason = await readReason(endpoints, readRevert, hash).catch((error: unknown) => {
			log('The reason of a revert was not read', error);
			return null;
		});
		return { revertReason, transfers };
	}
}
