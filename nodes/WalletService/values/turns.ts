/**
 * Waits for a number of turns of the event loop, in which n8n does everything else.
 *
 * @example await yieldToEventLoop(1) // undefined
 */
export async function yieldToEventLoop(count: number): Promise<void> {
	for (let turn = 0; turn < count; turn++) {
		// Each turn needs a new channel: a second message on the same one would arrive in the same turn.
		const { port1, port2 } = new MessageChannel();
		await new Promise<void>((resolve) => {
			port1.addEventListener('message', () => resolve());
			port1.start();
			port2.postMessage(undefined);
		});
		port1.close();
	}
}

/** Work that stops after each few milliseconds; its last value is its result. */
export type Steps<Result> = Generator<undefined, Result>;

/**
 * Does work step by step, between which n8n does its other work.
 *
 * @throws any error of the work
 * @example await inTurns((function* () { yield; return 7; })()) // 7
 */
export async function inTurns<Result>(work: Steps<Result>): Promise<Result> {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
		await yieldToEventLoop(1);
	}
}

/**
 * Returns a function that counts work, and says when a step is long enough.
 *
 * @param length the work of a step: a few milliseconds
 * @example const isLong = stepsOf(2); [isLong(1), isLong(1), isLong(1)] // [false, true, false]
 */
export function stepsOf(length: number): (work: number) => boolean {
	let done = 0;
	return (work) => {
		done += work;
		if (done < length) return false;
		done = 0;
		return true;
	};
}

/** Entries of a list that are mapped at once. */
const ENTRIES_AT_ONCE = 500;

/**
 * Splits long work into stretches, between which n8n does its other work: it has only one thread.
 *
 * @example await new Stretches(500).after(1) // undefined
 */
export class Stretches {
	readonly #length: number;

	#done = 0;

	/** @param length the work of a stretch, in steps or characters; a few milliseconds */
	constructor(length: number) {
		this.#length = length;
	}

	/** Ends a stretch that is long enough. @param work what was done since the last call */
	async after(work = 1): Promise<void> {
		this.#done += work;
		if (this.#done < this.#length) return;
		this.#done = 0;
		await yieldToEventLoop(1);
	}
}

/**
 * Maps a list of any length, in stretches.
 *
 * @example await mapInTurns([1, 2], String) // ['1', '2']
 */
export async function mapInTurns<T, Mapped>(
	list: readonly T[],
	map: (one: T) => Mapped,
): Promise<Mapped[]> {
	const stretches = new Stretches(ENTRIES_AT_ONCE);
	const mapped: Mapped[] = [];
	for (const one of list) {
		mapped.push(map(one));
		await stretches.after();
	}
	return mapped;
}
