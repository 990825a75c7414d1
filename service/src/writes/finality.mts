import type { Spending } from '../limits/spending.mts';
import { markFinal, markOutcome, markUnmined, type MinedWrite } from '../store/open-writes.mts';
import { boundedCost } from './bounded-cost.mts';
import { effectsOf, type EffectPorts } from './effects.mts';
import type { Observer } from './events.mts';
import { confirmations, proveIn, standingsOf } from './inclusion.mts';
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

/** Follows the writes in blocks until no reorganisation changes them any more. */
export class Finality {
	readonly #ports: FinalityPorts;
	/** Writes in final blocks that the endpoints did not confirm, how often, and when the last time; by ID of the write. */
	readonly #disputed = new Map<string, { times: number; at: number }>();
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

	/** Ends the oldest writes that no reorganisation reaches any more. */
	async finalise(newestFirst: readonly MinedWrite[]): Promise<void> {
		const open = new Set(newestFirst.map(({ id }) => id));
		for (const id of this.#disputed.keys()) if (!open.has(id)) this.#disputed.delete(id);
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
		const { db, endpoints } = this.#ports;
		const found = await proveIn(endpoints, write.hash, write);
		if (!found) {
			const [[, standing] = []] = await standingsOf(endpoints, write.blockNumber, [write]);
			if (standing === 'undone' || standing === 'open') await this.#takeBack(write, standing);
			else this.#dispute(write);
			return false;
		}
		if (found.status === null) {
			const text = `It is in block ${write.blockNumber}; whether it succeeded is not known yet`;
			this.#ports.questions.ask(write.id, text);
		} else this.#ports.questions.answered(write.id);
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
