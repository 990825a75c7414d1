import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { usesOAuth } from './active-credential';
import type { RequestSettings } from './options';
import { readRequestSettings } from './options';
import { pause } from './pause';
import { SharedCredential } from './shared-credential';

/** Turns that are taken from the front of the queue before its memory is given back. */
const SPENT_TURNS = 1000;

/** What the items of one run of a node share: turns to send, pauses, and whether the run has failed. */
export class NodeRun {
	readonly settings: RequestSettings;

	readonly credential = new SharedCredential();

	/** Why nothing of this run may be sent, when its options are not right. */
	readonly refusal: unknown;

	/** Index of the item with which the run failed; nothing is sent after it. */
	failedItem: number | undefined;

	#free: number;

	/** Turns that come with the end of the first one. */
	#withheld: number;

	#waiting: Array<() => void> = [];

	#next = 0;

	#resumeAt = 0;

	/**
	 * @param options value of the node's Options
	 * @param startsAlone whether the first item is sent before all others: it renews a sign-in that has expired, or
	 * finds out that it has ended
	 */
	constructor(options: unknown, startsAlone: boolean) {
		try {
			this.settings = readRequestSettings(options);
		} catch (error) {
			this.settings = readRequestSettings({});
			this.refusal = error;
		}
		this.#free = startsAlone ? 1 : this.settings.concurrency;
		this.#withheld = this.settings.concurrency - this.#free;
	}

	/** Waits for a turn; turns are given in the order of asking. Each needs one `endTurn`. */
	async takeTurn(): Promise<void> {
		if (this.#free > 0) {
			this.#free -= 1;
			return;
		}
		await new Promise<void>((resolve) => this.#waiting.push(resolve));
	}

	/** Gives the turn to whoever has waited longest. */
	endTurn(): void {
		const turns = 1 + this.#withheld;
		this.#withheld = 0;
		for (let turn = 0; turn < turns; turn++) this.#giveTurn();
	}

	#giveTurn(): void {
		const resolve = this.#waiting[this.#next];
		if (resolve === undefined) {
			this.#free += 1;
			return;
		}
		this.#next += 1;
		if (this.#next === SPENT_TURNS) {
			this.#waiting = this.#waiting.slice(SPENT_TURNS);
			this.#next = 0;
		}
		resolve();
	}

	/** Slows the whole run down: nothing more is sent for so many milliseconds. */
	holdFor(milliseconds: number): void {
		this.#resumeAt = Math.max(this.#resumeAt, Date.now() + milliseconds);
	}

	/** Waits until the run may send again. */
	async untilResumed(signal: AbortSignal | undefined): Promise<void> {
		while (this.#resumeAt > Date.now() && signal?.aborted !== true) {
			await pause(this.#resumeAt - Date.now(), signal);
		}
	}
}

/** n8n passes the same execute data to all items of a run, also when it runs a node again. */
const runs = new WeakMap<object, NodeRun>();

/**
 * The run that an item belongs to. Item 0 always comes first and starts a new one, so that a repeated run (Retry on
 * Fail) begins afresh.
 */
export function startOrJoinRun(context: IExecuteSingleFunctions): NodeRun {
	const key = context.getExecuteData();
	const current = runs.get(key);
	if (current !== undefined && context.getItemIndex() > 0) return current;
	const run = new NodeRun(context.getNodeParameter('options', {}), usesOAuth(context));
	runs.set(key, run);
	return run;
}
