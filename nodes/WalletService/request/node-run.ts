import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';

import { usesOAuth } from './active-credential';
import type { RequestSettings } from './options';
import { readRequestSettings } from './options';
import { pause } from './pause';
import { SharedCredential } from './shared-credential';

/** Turns that are taken from the front of the queue before its memory is given back. */
const SPENT_TURNS = 1000;

/** Whether the requests of a run may be under way together, or one at a time and in the order of the items. */
export type SendingOrder = 'together' | 'in order';

/** Values of the node's parameters that are read once per run. */
export interface RunOptions {
	readonly options: unknown;
	/** n8n's own Request Options. */
	readonly requestOptions?: unknown;
}

/** What the items of one run of a node share: turns to send, pauses, and whether the run has failed. */
export class NodeRun {
	readonly settings: RequestSettings;

	readonly credential = new SharedCredential();

	/** Why nothing of this run may be sent, when its options are not right. */
	readonly refusal: unknown;

	/** What the run has submitted so far, a line each: it must not get lost when the run fails. */
	readonly done: string[] = [];

	/** Index of the item with which the run failed; nothing is sent after it. */
	failedItem: number | undefined;

	#free: number;

	/** Turns that come with the end of the first one. */
	#withheld: number;

	#waiting: Array<() => void> = [];

	#next = 0;

	#resumeAt = 0;

	/** Ends with the current turn of the event loop, once an item has used it. */
	#turnOfLoop: Promise<void> | undefined;

	/**
	 * @param startsAlone whether the first item is sent before all others: it renews a sign-in that has expired, or
	 * finds out that it has ended
	 */
	constructor({ options, requestOptions }: RunOptions, order: SendingOrder, startsAlone: boolean) {
		try {
			this.settings = readRequestSettings(options, requestOptions);
		} catch (error) {
			this.settings = readRequestSettings({});
			this.refusal = error;
		}
		const turns = order === 'in order' ? 1 : this.settings.concurrency;
		this.#free = startsAlone ? 1 : turns;
		this.#withheld = turns - this.#free;
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

	/**
	 * Waits for a turn of the event loop that no other item of the run works in. What one item does would hold up the
	 * requests of the others: they would leave together, and from then on be answered together, with nothing on its way
	 * in between.
	 */
	async untilLoopTurns(): Promise<void> {
		while (this.#turnOfLoop !== undefined) await this.#turnOfLoop;
		this.#turnOfLoop = sleep(0).then(() => {
			this.#turnOfLoop = undefined;
		});
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
export function startOrJoinRun(context: IExecuteSingleFunctions, order: SendingOrder): NodeRun {
	const key = context.getExecuteData();
	const current = runs.get(key);
	if (current !== undefined && context.getItemIndex() > 0) return current;
	const run = new NodeRun(
		{
			options: context.getNodeParameter('options', {}),
			requestOptions: context.getNodeParameter('requestOptions', {}),
		},
		order,
		usesOAuth(context),
	);
	runs.set(key, run);
	return run;
}
