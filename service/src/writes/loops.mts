import type { RevertReader } from '../abi/revert.mts';
import { quantity } from '../rpc/client.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import {
	compareNonce,
	markFinal,
	markMined,
	markSent,
	markUnmined,
} from '../store/open-writes.mts';
import { minedWrites, unminedWrites } from '../store/open-writes.mts';
import type { Inclusion, MinedWrite, UnminedWrite } from '../store/open-writes.mts';
import type { AttemptRow, Database } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import type { Delivery } from './delivery.mts';
import { blockHashAt, findInclusion } from './inclusion.mts';
import { readReason } from './revert-reason.mts';

export interface LoopPorts {
	db: Database;
	endpoints: Endpoints;
	delivery: Delivery;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	readRevert: RevertReader;
	log(problem: string, error: unknown): void;
}

/** Pause between two rounds, in milliseconds, with unfinished writes and without. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

/** Maximum number of blocks that one round compares with the chain. */
const BLOCKS_AT_ONCE = 20;

/** Age of the last sending after which a transaction that is in no block is sent again, in milliseconds. */
const RESEND_MS = 4_000;

/**
 * Follows the writes until they are final: sends what is in no block, and confirms what is. All state is in the database,
 * so starting after a crash is the same as running, and several processes may do it at once.
 */
export class Loops {
	readonly #ports: LoopPorts;
	#timer: NodeJS.Timeout | undefined;
	#round: Promise<void> = Promise.resolve();
	#isStopped = false;

	constructor(ports: LoopPorts) {
		this.#ports = ports;
	}

	/** Begins with sending all unfinished transactions, whenever they were sent before. */
	start(): void {
		this.#next(0, 0);
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		clearTimeout(this.#timer);
		await this.#round;
	}

	/** Confirms the writes of one wallet that are in a block. */
	async confirm(walletId: number): Promise<void> {
		await this.#confirmWallet(await unminedWrites(this.#ports.db, walletId));
	}

	#next(ms: number, resendMs: number): void {
		if (this.#isStopped) return;
		this.#timer = setTimeout(() => {
			this.#round = this.#run(resendMs);
			void this.#round;
		}, ms);
	}

	async #run(resendMs: number): Promise<void> {
		const { db, endpoints } = this.#ports;
		let isBusy = true;
		await this.#attempt(async () => {
			await endpoints.poll();
			const mined = await minedWrites(db);
			const unmined = await unminedWrites(db);
			isBusy = mined.length + unmined.length > 0;
			const wallets = [...Map.groupBy(unmined, ({ write }) => write.wallet_id).values()];
			// First: a later block that is confirmed would hide that an earlier one was undone.
			await this.#attempt(() => this.#takeBackUndone(mined));
			await Promise.all([
				...wallets.map((writes) => this.#attempt(() => this.#follow(writes, resendMs))),
				this.#attempt(async () => {
					await Promise.all((await this.#dueBlocks(mined)).map((writes) => this.#finalise(writes)));
				}),
			]);
		});
		this.#next(isBusy ? BUSY_MS : IDLE_MS, RESEND_MS);
	}

	/** A failure of one part must not keep the others from their turn. */
	async #attempt(task: () => Promise<void>): Promise<void> {
		try {
			await task();
		} catch (error) {
			this.#ports.log('The loops will try again', error);
		}
	}

	/** Sends the transactions of one wallet that are in no block, and confirms the others. */
	async #follow(unmined: UnminedWrite[], resendMs: number): Promise<void> {
		const { db, delivery } = this.#ports;
		const newest = unmined.flatMap(({ attempts }) => attempts[0] ?? []);
		const due = newest.filter(({ sent_at: at }) => Date.now() - Date.parse(at) >= resendMs);
		const send = async (attempt: AttemptRow): Promise<void> => {
			await markSent(db, attempt.hash);
			await delivery.send(attempt);
		};
		await Promise.all([this.#confirmWallet(unmined), ...due.map(send)]);
	}

	/** Takes back what a reorganisation undid. Blocks below one that remains also remain. */
	async #takeBackUndone(newestFirst: MinedWrite[]): Promise<void> {
		for (const { id, blockNumber, blockHash } of newestFirst) {
			const hash = await blockHashAt(this.#ports.endpoints, blockNumber);
			if (hash === undefined || hash === blockHash) return;
			await markUnmined(this.#ports.db, id);
		}
	}

	/** The oldest writes that no reorganisation reaches any more, by block. */
	async #dueBlocks(mined: MinedWrite[]): Promise<MinedWrite[][]> {
		if (mined.length === 0) return [];
		const { endpoints, depth } = this.#ports;
		const final = await endpoints.finalBlock(depth);
		const due = mined.filter(({ blockNumber }) => BigInt(blockNumber) <= final);
		const blocks = Map.groupBy(due.reverse(), ({ blockNumber }) => blockNumber);
		return [...blocks.values()].slice(0, BLOCKS_AT_ONCE);
	}

	/** Ends writes of one block, unless their block was undone long ago. */
	async #finalise(writes: MinedWrite[]): Promise<void> {
		const { db, endpoints } = this.#ports;
		const hash = await blockHashAt(endpoints, writes[0]?.blockNumber ?? 0);
		for (const { id, blockHash } of writes) {
			if (hash === blockHash) await markFinal(db, id, blockHash);
			else if (hash !== undefined) await markUnmined(db, id);
		}
	}

	/** @param unmined writes of one wallet */
	async #confirmWallet(unmined: UnminedWrite[]): Promise<void> {
		const [first] = unmined;
		if (!first) return;
		const { db, endpoints } = this.#ports;
		const wallet = await walletById(db, first.write.wallet_id);
		if (!wallet) return;
		const answer = await endpoints.call('eth_getTransactionCount', [wallet.address, 'latest']);
		const count = Number(quantity(answer));
		if (count > wallet.next_nonce) await compareNonce(db, wallet.id, count);
		const used = unmined.filter(({ write }) => write.nonce < count);
		await Promise.all(
			used.map(async ({ write, attempts }) => {
				for (const { hash } of attempts) {
					const inclusion = await findInclusion(endpoints, hash);
					if (!inclusion) continue;
					await markMined(db, write.id, inclusion, await this.#reasonOf(inclusion));
				}
			}),
		);
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
