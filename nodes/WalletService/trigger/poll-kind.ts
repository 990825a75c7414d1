import type { IPollFunctions } from 'n8n-workflow';

/**
 * What n8n does with the state around a poll:
 * - `activation`: it saves the state afterwards, also when the poll gives nothing.
 * - `later`: it has kept the state in memory since the last poll, and saves it only with what the poll gives.
 * - `anew`: it has read the state anew. So does the durable scheduler for each poll, and saves it only with what the poll
 *   gives. The first poll after an update looks the same, and what is right for the one does no harm to the other.
 */
export type PollKind = 'activation' | 'later' | 'anew';

/** The context of each trigger's last poll: all polls of an activation share one, unless the durable scheduler makes them. */
const contexts = new Map<string, WeakRef<IPollFunctions>>();

/**
 * Finds out the kind of a poll that n8n starts. To be asked once, when the poll begins.
 *
 * @param trigger stands for the trigger in this n8n
 */
export function takeKind(trigger: string, context: IPollFunctions): PollKind {
	if (contexts.get(trigger)?.deref() === context) return 'later';
	contexts.set(trigger, new WeakRef(context));
	return context.getActivationMode() === 'update' ? 'anew' : 'activation';
}
