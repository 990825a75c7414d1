/** A block at which a reading waits for the endpoints. */
interface Place {
	block: number;
	/** In milliseconds of the monotonic clock. */
	since: number;
	/** Whether the endpoints list different transfers; otherwise too few list any. */
	isDisputed: boolean;
}

/** Time after which it is to be reported that too few endpoints list a block, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Whether a reading waits because too few endpoints confirm the transfers in a block. */
export class Wait {
	readonly #log: (problem: string, error: unknown) => void;
	#place: Place | undefined;

	constructor(log: (problem: string, error: unknown) => void) {
		this.#log = log;
	}

	/** Whether the endpoints disagree. That some of them are silent by now is no answer. */
	get isDisputed(): boolean {
		return this.#place?.isDisputed === true;
	}

	/** The block, if somebody should know: at once if the endpoints disagree, otherwise after a minute. */
	get reported(): number | undefined {
		const { block, since = Infinity, isDisputed } = this.#place ?? {};
		const isLong = performance.now() - since > PATIENCE_MS;
		return isDisputed || isLong ? block : undefined;
	}

	/** The reading waits at a block, which is logged once. */
	at(block: number, isDisputed: boolean, cause?: unknown): void {
		const known = this.#place;
		this.#place = {
			block,
			since: known?.since ?? performance.now(),
			isDisputed: isDisputed || this.isDisputed,
		};
		if (known?.block === block && known.isDisputed === this.isDisputed) return;
		const problem = isDisputed
			? `The endpoints list different transfers in block ${block}; the history waits until they agree`
			: `Too few endpoints list the transfers in block ${block}; the history waits for them`;
		this.#log(problem, cause);
	}

	/** The reading goes on. */
	end(): void {
		this.#place = undefined;
	}
}
