import type { IExecuteSingleFunctions } from 'n8n-workflow';

/** Requests in flight at most per run of a node. */
const CONCURRENCY = 10;

/** What the items of one run of a node share: turns to send, and whether the run has failed. */
export class NodeRun {
	private free = CONCURRENCY;

	private readonly waiting: Array<() => void> = [];

	private next = 0;

	/** Index of the item with which the run failed; nothing is sent after it. */
	failedItem: number | undefined;

	/** Waits for a turn; turns are given in the order of asking. Each needs one `endTurn`. */
	async takeTurn(): Promise<void> {
		if (this.free > 0) {
			this.free -= 1;
			return;
		}
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Gives the turn to whoever has waited longest. */
	endTurn(): void {
		const resolve = this.waiting[this.next];
		if (resolve === undefined) {
			this.free += 1;
			return;
		}
		this.next += 1;
		resolve();
		// The queue is cut in large pieces: cutting at every turn would cost time that grows with its length.
		if (this.next === 1000) {
			this.waiting.splice(0, this.next);
			this.next = 0;
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
	const run = new NodeRun();
	runs.set(key, run);
	return run;
}

/** The run that `startOrJoinRun` found for this item before. */
export function runOf(context: IExecuteSingleFunctions): NodeRun {
	return runs.get(context.getExecuteData()) ?? startOrJoinRun(context);
}
