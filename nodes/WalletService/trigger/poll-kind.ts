import type { IPollFunctions } from 'n8n-workflow';

/**
 * How n8n treats the state before and after a poll:
 * - `activation`: it saves the state afterwards, even if the poll returns nothing.
 * - `later`: it has kept the state in memory since the last poll, and saves it only with a result of the poll.
 * - `anew`: it has read the state anew, as the durable scheduler does for each poll, and saves it only with a result. The
 *   first poll after an update looks the same; treating it likewise does no harm.
 */
export type PollKind = 'activation' | 'later' | 'anew';

/** The context of each trigger's last poll: all polls of an activation share one, unless the durable scheduler runs them. */
const contexts = new Map<string, WeakRef<IPollFunctions>>();

/**
 * Determines the kind of a poll. To be called once, when the poll starts.
 *
 * @param trigger identifies the trigger in this n8n
 */
export function takeKind(trigger: string, context: IPollFunctions): PollKind {
	if (contexts.get(trigger)?.deref() === context) return 'later';
	contexts.set(trigger, new WeakRef(context));
	return context.getActivationMode() === 'update' ? 'anew' : 'activation';
}
