import type { IPollFunctions } from 'n8n-workflow';

/**
 * What n8n does with the state around a poll:
 * - `activation`: it saves the state afterwards, also when the poll gives nothing.
 * - `later`: it has kept the state in memory since the last poll, and saves it only with what the poll gives.
 * - `anew`: it has read the state anew. So does the durable scheduler for each poll, and saves it only with what the poll
 *   gives. The first poll after an update looks the same, and what is right for the one does no harm to the other.
 */
export type PollKind = 'activation' | 'later' | 'anew';

/** Contexts that have polled: an activation has one, and all polls share it unless the durable scheduler makes them. */
const polled = new WeakSet<object>();

/** Finds out the kind of a poll. To be asked once, when the poll begins. */
export function takeKind(context: IPollFunctions): PollKind {
	if (polled.has(context)) return 'later';
	polled.add(context);
	return context.getActivationMode() === 'update' ? 'anew' : 'activation';
}
