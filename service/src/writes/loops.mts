import type { Endpoints } from '../rpc/endpoints.mts';
import { markSent, minedWrites, unminedWrites, type UnminedWrite } from '../store/open-writes.mts';
import type { AttemptRow, Database } from '../store/tables.mts';
import { allWallets, newWallets } from '../store/users.mts';
import type { Confirmation } from './confirmation.mts';
import type { Delivery } from './delivery.mts';
import type { Observer } from './events.mts';
import type { Finality } from './finality.mts';
import type { OpenQuestions } from './open-questions.mts';
import type { Replacement } from './replacement.mts';

export interface LoopPorts {
	db: Database;
	endpoints: Endpoints;
	delivery: Delivery;
	confirmation: Confirmation;
	finality: Finality;
	questions: OpenQuestions;
	replacement: Replacement;
	/** Age of a transaction after which its fees may be raised, in milliseconds. */
	stuckMs: number;
	log(problem: string, error: unknown): void;
	observe: Observer;
}

/** Pause between two rounds, in milliseconds, with unfinished writes and without. */
const BUSY_MS = 1_000;
const IDLE_MS = 5_000;

/** Age of the last sending after which a transaction that is in no block is sent again, in milliseconds. */
const RESEND_MS = 4_000;

/** Whether a time is long ago; one that is as far ahead was written before the clock was set back. */
const isOlder = (time: string, ms: number): boolean =>
	Math.abs(Date.now() - Date.parse(time)) >= ms;

/**
 * Follows the writes until they are final: sends what is in no block, and confirms what is. All state is in the database,
 * so starting after a crash is the same as running, and several processes may do it at once.
 */
export class Loops {
	readonly #ports: LoopPorts;
	#timer: NodeJS.Timeout | undefined;
	#round: Promise<void> = Promise.resolve();
	#isStopped = false;
	#isCompared = false;

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
		const { db, confirmation } = this.#ports;
		await confirmation.confirm(await unminedWrites(db, walletId));
	}

	#next(ms: number, resendMs: number): void {
		if (this.#isStopped) return;
		this.#timer = setTimeout(() => {
			this.#round = this.#run(resendMs);
			void this.#round;
		}, ms);
	}

	async #run(resendMs: number): Promise<void> {
		const { db, endpoints, finality, questions } = this.#ports;
		let isBusy = true;
		await this.#attempt(async () => {
			await endpoints.poll();
			await this.#attempt(() => this.#compare());
			const mined = await minedWrites(db);
			const unmined = await unminedWrites(db);
			isBusy = mined.length + unmined.length > 0;
			const unknown = mined.filter(({ status }) => status === null);
			questions.keep(
				new Set([...unmined.map(({ write }) => write.id), ...unknown.map(({ id }) => id)]),
			);
			const wallets = [...Map.groupBy(unmined, ({ write }) => write.wallet_id).values()];
			// First: a later block that is confirmed would hide that an earlier one was undone.
			await this.#attempt(() => finality.takeBackUndone(mined));
			await Promise.all([
				...wallets.map((writes) => this.#follow(writes, resendMs)),
				this.#attempt(() => finality.finalise(mined)),
			]);
			this.#ports.observe({ kind: 'round' });
		});
		this.#next(isBusy ? BUSY_MS : IDLE_MS, RESEND_MS);
	}

	/** Compares all wallets at the start, because the database may have been set back, and then the new ones. */
	async #compare(): Promise<void> {
		const { db, confirmation } = this.#ports;
		if (!this.#isCompared) await confirmation.reviveSupplanted();
		await confirmation.compare(this.#isCompared ? await newWallets(db) : await allWallets(db));
		this.#isCompared = true;
	}

	/** A failure of one part must not keep the others from their turn. @returns undefined after a failure */
	async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
		try {
			return await task();
		} catch (error) {
			this.#ports.log('The loops will try again', error);
			return undefined;
		}
	}

	/** Confirms the transactions of one wallet, and sends those that are in no block. */
	async #follow(unmined: UnminedWrite[], resendMs: number): Promise<void> {
		const { db, delivery, confirmation } = this.#ports;
		const counts = await this.#attempt(() => confirmation.confirm(unmined));
		const due = unmined.filter(({ write, attempts: [newest] }) => {
			const isOpen = counts === undefined || write.nonce >= counts.least;
			return isOpen && newest !== undefined && isOlder(newest.sent_at, resendMs);
		});
		const send = async (one: UnminedWrite): Promise<void> => {
			const { nonce } = one.write;
			const isNext = counts !== undefined && counts.least <= nonce && nonce <= counts.most;
			const attempt = await this.#toSend(one, isNext);
			if (!attempt) return;
			await markSent(db, attempt.hash);
			await delivery.send(attempt);
		};
		await Promise.all(due.map((one) => this.#attempt(() => send(one))));
	}

	/** The transaction of a write that is to be sent. @param isNext whether the chain waits for its nonce */
	async #toSend(one: UnminedWrite, isNext: boolean): Promise<AttemptRow | undefined> {
		const { delivery, replacement, stuckMs } = this.#ports;
		const [newest] = one.attempts;
		if (newest?.kind === 'call' && delivery.isOverdue(one.write)) {
			return await replacement.giveUp(one, ['signed']);
		}
		if (!newest || !isNext || !isOlder(newest.created_at, stuckMs)) return newest;
		return (await this.#attempt(() => replacement.raise(one))) ?? newest;
	}
}
