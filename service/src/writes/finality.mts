import type { Spending } from '../limits/spending.mts';
import { markFinal, markOutcome, markUnmined, type MinedWrite } from '../store/open-writes.mts';
import { boundedCost } from './bounded-cost.mts';
import { effectsOf, type EffectPorts } from './effects.mts';
import type { Observer } from './events.mts';
import { confirmations, proveIn, standingsOf, type ProvenInclusion } from './inclusion.mts';
import type { OpenQuestions } from './open-questions.mts';

export interface FinalityPorts extends EffectPorts {
	/** Number of blocks above a block after which it is final. */
	depth: number;
	spending: Spending;
	observe: Observer;
	questions: OpenQuestions;
}

/** Maximum number of writes, and of their blocks, that one round compares with the chain. */
const AT_ONCE = 20;
const BLOCKS_AT_ONCE = 40;

/** Pause before a write in a final block that the endpoints do not confirm is compared again, in milliseconds. */
const DISPUTED_EVERY_MS = 5_000;

/** A name of what is recorded of a write in a block. */
const recordOf = ({ id, blockHash, status }: MinedWrite): string => [id, blockHash, status].join();

/** Follows the writes in blocks until no reorganisation changes them any more. */
export class Finality {
	readonly #ports: FinalityPorts;
	/** Writes in final blocks that the endpoints did not confirm, how often, and when the last time; by ID of the write. */
	readonly #disputed = new Map<string, { times: number; at: number }>();
	/** When results are compared again, in milliseconds of the monotonic clock; never, once enough endpoints confirm them. */
	readonly #looks = new Map<string, number>();
	/** Where the next round begins among the blocks with writes. */
	#turn = 0;

	constructor(ports: FinalityPorts) {
		this.#ports = ports;
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
				const standings = await standingsOf(this.#ports.endpoints, blockNumber, writes);
				await Promise.all(
					standings.map(async ([write, standing]) => {
						if (standing !== 'in block') await this.#takeBack(write, standing);
					}),
				);
			}),
		);
	}

	/**
	 * Ends the oldest writes that no reorganisation reaches any more. The results of others are compared until enough endpoints
	 * confirm them: the first receipt may be the word of one.
	 */
	async finalise(newestFirst: readonly MinedWrite[]): Promise<void> {
		const open = new Set(newestFirst.map(({ id }) => id));
		for (const id of this.#disputed.keys()) if (!open.has(id)) this.#disputed.delete(id);
		const records = new Set(newestFirst.map(recordOf));
		for (const one of this.#looks.keys()) if (!records.has(one)) this.#looks.delete(one);
		if (newestFirst.length === 0) return;
		const { endpoints, depth } = this.#ports;
		const final = await endpoints.finalBlock(depth);
		const now = performance.now();
		const since = now - DISPUTED_EVERY_MS;
		const isFinal = ({ blockNumber }: MinedWrite) => BigInt(blockNumber) <= final;
		const due = newestFirst.filter((write) => {
			const isDue = isFinal(write) || write.status === null;
			if (!isDue) return (this.#looks.get(recordOf(write)) ?? now) <= now;
			return (this.#disputed.get(write.id)?.at ?? since) <= since;
		});
		const oldest = due.toReversed().slice(0, AT_ONCE);
		await Promise.all(
			oldest.map(async (write) => {
				if (isFinal(write)) await this.#end(write);
				else if (write.status === null) await this.#learn(write);
				else await this.#compare(write);
			}),
		);
	}

	/** Compares the result of a write in a block that is not final. */
	async #compare(write: MinedWrite): Promise<void> {
		const found = await proveIn(this.#ports.endpoints, write.hash, write);
		const isKnown = found?.isCertain === true && found.status === write.status;
		this.#looks.set(recordOf(write), isKnown ? Infinity : performance.now() + DISPUTED_EVERY_MS);
		// A receipt that is late again proves nothing.
		if (found?.receipt !== undefined || found?.isDisputed === true)
			await this.#record(write, found);
	}

	/** From now on, it is followed like a write that was in no block. */
	async #takeBack(write: MinedWrite, standing: 'undone' | 'open'): Promise<void> {
		const isDone = await markUnmined(this.#ports.db, write, standing === 'open');
		this.#ports.questions.answered(write.id);
		if (isDone && standing === 'undone') this.#ports.observe({ kind: 'undone' });
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
		this.#ports.questions.answered(id);
		const mined = status === 0 ? 'reverted' : 'succeeded';
		observe({ kind: 'ended', id, outcome: kind === 'call' ? mined : 'cancelled' });
	}

	/** Learns whether a transaction in a block succeeded. @returns whether what is recorded is what the endpoints say */
	async #learn(write: MinedWrite): Promise<boolean> {
		const { endpoints } = this.#ports;
		const found = await proveIn(endpoints, write.hash, write);
		if (!found) {
			const [[, standing] = []] = await standingsOf(endpoints, write.blockNumber, [write]);
			if (standing === 'undone' || standing === 'open') await this.#takeBack(write, standing);
			else this.#dispute(write);
			return false;
		}
		return await this.#record(write, found);
	}

	/** Records whether a transaction succeeded. @returns whether that is recorded already */
	async #record(write: MinedWrite, found: ProvenInclusion): Promise<boolean> {
		const { db, questions } = this.#ports;
		if (found.status === null) {
			const text = `It is in block ${write.blockNumber}; whether it succeeded is not known yet`;
			questions.ask(write.id, text);
		} else questions.answered(write.id);
		if (found.status === write.status) return true;
		await markOutcome(db, write.id, found, await effectsOf(this.#ports, found));
		return false;
	}

	/** A write remains open while too few endpoints confirm it. A lost answer is nothing to report. */
	#dispute({ id, hash }: MinedWrite): void {
		const times = (this.#disputed.get(id)?.times ?? 0) + 1;
		this.#disputed.set(id, { times, at: performance.now() });
		if (times === 2) this.#ports.observe({ kind: 'disputed', id, hash });
	}
}
