import type { FastifyBaseLogger } from 'fastify';
import type { WriteEvent } from '../writes/events.mts';
import { Undecided } from '../writes/failures.mts';
import type { WriteRequest } from '../writes/request.mts';

/** Longest part of a key in the log and on pages: keys are often order numbers. */
const KEY_LENGTH = 20;

/** The beginning of a key, by which a person recognises it. */
export const shortened = (key: string): string =>
	key.length <= KEY_LENGTH ? key : `${key.slice(0, KEY_LENGTH)}...`;

const named = ({ caller, key, call }: WriteRequest) => ({
	user: caller.user.id,
	key: shortened(key),
	contract: call.to,
});

/** Logs one line for each write that is submitted, refused, disputed, waits or ends, and for each wallet that is closed; never data, signed bytes or tokens. */
export function logWrite(log: FastifyBaseLogger, event: WriteEvent): void {
	if (event.kind === 'submitted') {
		const { write, attempt, isReplayed } = event.submitted;
		const { id, state } = write;
		const again = isReplayed ? { replayed: true } : {};
		log.info({ write: id, hash: attempt.hash, ...named(event.request), state, ...again }, 'write');
	} else if (event.kind === 'not-submitted') {
		const { request, error } = event;
		// It may be stored, and will be sent then.
		const hash = error instanceof Undecided ? { hash: error.hash } : {};
		log.info({ ...named(request), ...hash, problem: String(error) }, 'write not submitted');
	} else if (event.kind === 'ended') {
		log.info({ write: event.id, outcome: event.outcome }, 'write ended');
	} else if (event.kind === 'disputed') {
		const { id, hash } = event;
		log.warn({ write: id, hash }, 'write not final: the endpoints do not agree about it');
	} else if (event.kind === 'refused') {
		const { id, hash, words } = event;
		log.warn({ write: id, hash, words }, 'all endpoints refuse a transaction');
	} else if (event.kind === 'waiting') {
		log.warn({ write: event.id, reason: event.reason }, 'write not given up yet');
	} else if (event.kind === 'closed') {
		log.warn({ wallet: event.wallet, reason: event.reason }, 'wallet closed');
	}
}
