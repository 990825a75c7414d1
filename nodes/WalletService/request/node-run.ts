import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { usesOAuth } from './active-credential';
import { CallFailure } from './call-failure';
import type { RequestSettings } from './options';
import { readRequestSettings } from './options';
import { Pace } from './pace';
import { pause } from './pause';
import { parameterReader } from './read-parameter';
import { SharedCredential } from './shared-credential';
import { Turns } from './turns';

/** Items of a run that are worked on, for each that may be in flight: the next ones are read while those are. */
export const ITEMS_PER_TURN = 2;

/** Whether the requests of a run may be under way together, or one at a time and in the order of the items. */
export type SendingOrder = 'together' | 'in order';

/** Reads a parameter of the node as it stands for item 0; one whose expression fails throws. */
export type ReadRunOption = (name: 'options' | 'requestOptions') => unknown;

/** What the items of one run of a node share: turns to send, pauses, and whether the run has failed. */
export class NodeRun {
	readonly settings: RequestSettings;

	readonly credential = new SharedCredential();

	/** Whether the run can move money. */
	readonly isWriting: boolean;

	/** Why nothing of this run may be sent, when its options are not right. */
	readonly refusal: unknown;

	/** What the run has submitted so far, a line each: it must not get lost when the run fails. */
	readonly done: string[] = [];

	/** Turns to send. */
	readonly turns: Turns;

	/** Places of the items that are worked on: read, waiting for their turn to send, or in flight. */
	readonly places: Turns;

	readonly pace: Pace;

	/** Index of the item with which the run failed; nothing is sent after it. */
	failedItem: number | undefined;

	#resumeAt = 0;

	/**
	 * @param startsAlone whether the first item is sent before all others: it renews a sign-in that has expired, or
	 * finds out that it has ended
	 */
	constructor(read: ReadRunOption, order: SendingOrder, startsAlone: boolean) {
		try {
			this.settings = readRequestSettings(read('options'), read('requestOptions'));
		} catch (error) {
			this.settings = readRequestSettings({});
			this.refusal = error;
		}
		this.isWriting = order === 'in order';
		const turns = order === 'in order' ? 1 : this.settings.concurrency;
		this.turns = new Turns(turns, startsAlone ? 1 : turns);
		this.places = new Turns(order === 'in order' ? 1 : ITEMS_PER_TURN * turns);
		this.pace = new Pace(turns);
	}

	/** Slows the whole run down: nothing more is sent for so many milliseconds. */
	holdFor(milliseconds: number): void {
		this.#resumeAt = Math.max(this.#resumeAt, Date.now() + milliseconds);
	}

	/**
	 * Checks that the next request may leave.
	 *
	 * @param cancel the execution's own signal
	 * @throws CallFailure when an item before it failed, or the execution was cancelled.
	 */
	assertGoingOn(cancel: AbortSignal | undefined): void {
		const isCancelled = cancel?.aborted === true;
		if (this.failedItem === undefined && !isCancelled) return;
		const reason =
			this.failedItem === undefined
				? 'the execution was cancelled'
				: `item ${this.failedItem} failed`;
		throw new CallFailure({
			message: `Not sent, because ${reason}`,
			hint: 'Nothing happened for this item',
			code: 'not-sent',
			certainty: 'never sent',
		});
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
	const read = parameterReader(context);
	const run = new NodeRun((name) => read(name, {}), order, usesOAuth(context));
	runs.set(key, run);
	return run;
}
