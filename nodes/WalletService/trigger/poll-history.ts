import type { IPollFunctions } from 'n8n-workflow';

import { monotonicMs } from '../values/clock';

/** Upper bound of the time that n8n takes to save a state, in milliseconds. */
const SAVING_TIME = 30_000;

/**
 * How n8n treats the state before and after a poll:
 * - `activation`: it saves the state afterwards, even if the poll returns nothing.
 * - `later`: it has kept the state in memory since the last poll, and saves it only with a result of the poll.
 * - `reread`: it has read the state again, as the durable scheduler does for each poll, and saves it only with a result.
 *   The first poll after an update also counts as this kind, which does no harm.
 */
export type PollKind = 'activation' | 'later' | 'reread';

/** This process's memory of the polls of one trigger. */
export class PollHistory {
	/** Context of the last poll: all polls of an activation share one, unless the durable scheduler runs them. */
	#context: WeakRef<IPollFunctions> | undefined;

	#isPolling = false;

	/** The last state passed to n8n for saving. */
	#given = { revision: 0, time: -Infinity };

	/**
	 * Polls, unless another poll is in progress: the durable scheduler can start two polls, and both would return the same
	 * items.
	 */
	async pollAlone<T>(
		context: IPollFunctions,
		poll: (kind: PollKind) => Promise<T>,
	): Promise<T | null> {
		const kind = this.#takeKind(context);
		if (this.#isPolling) return null;
		this.#isPolling = true;
		try {
			return await poll(kind);
		} finally {
			this.#isPolling = false;
		}
	}

	/** Remembers a state that n8n is about to save. */
	noteGiven(revision: number): void {
		this.#given = { revision, time: monotonicMs() };
	}

	/**
	 * Whether a poll starts from a state that n8n is about to replace. The durable scheduler can start a poll just before it
	 * saves the state of the previous one: the poll would return the same items again. If n8n drops that state, the older
	 * one is valid again after a while.
	 */
	isOutdated(revision: number): boolean {
		const isRecent = monotonicMs() - this.#given.time < SAVING_TIME;
		return isRecent && revision < this.#given.revision;
	}

	#takeKind(context: IPollFunctions): PollKind {
		if (this.#context?.deref() === context) return 'later';
		this.#context = new WeakRef(context);
		return context.getActivationMode() === 'update' ? 'reread' : 'activation';
	}
}

const histories = new Map<string, PollHistory>();

/** Returns the history of a trigger, identified like n8n's static data: by its name within its workflow. */
export function historyOf(context: IPollFunctions): PollHistory {
	const trigger = JSON.stringify([context.getWorkflow().id, context.getNode().name]);
	const history = histories.get(trigger) ?? new PollHistory();
	histories.set(trigger, history);
	return history;
}
