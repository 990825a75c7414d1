import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import { amountsOf } from '../check/budget';
import type { Sending } from '../check/check-write';
import { noteOfTool } from '../check/equal-calls';
import type { CanonicalCall } from '../canonical-call';
import { records, sentWrites, unknownCalls } from '../ledger/process-memory';
import type { CountedWrite } from '../ledger/sent-writes';
import type { DoneWrite, WriteRecord } from '../ledger/process-records';
import { accountOf } from '../account';
import { triesOf } from '../tries';

/** Forgets that the outcome of a call is unknown, unless the unknown one is another write. */
function noteDecided(callKey: string, key: string | undefined, isDone: boolean): void {
	const unknown = unknownCalls.get(callKey);
	if (unknown && (unknown.key === key || (isDone && !unknown.key))) unknownCalls.delete(callKey);
}

/** By what the service can decide a write. */
function decidableOf({ key: { first }, pinned }: Sending, key: string | undefined) {
	return key === undefined ? {} : { key, firstKey: first, account: accountOf(pinned) };
}

/** Keeps what is known of a write, for its later tries and for a Retry; without a record, it may be sent again. */
function keep(context: IExecuteSingleFunctions, sending: Sending, record?: WriteRecord): void {
	triesOf(context).record = record;
	// Equal calls of tools are found by what they are, and a service lists its own writes.
	if (sending.toolCall || sending.labels) return;
	const { place, input, key, call, nodeKey } = sending;
	const sent = { place, input, key: key.first, call: call.digest, equal: nodeKey };
	if (record === undefined) records.remove(place.scope, sent.key);
	else records.keep(sent, record);
}

/** Counts a write for the limits and the account of its execution. */
function count(sending: Sending, state: CountedWrite['state'] | 'refused', key?: string): void {
	const { budget, place, pinned } = sending;
	const amounts = amountsOf(sending);
	const write = { node: place.node, account: accountOf(pinned), amounts, key };
	const isSent = state !== 'refused';
	sentWrites.note(budget, sending.name, isSent ? { ...write, state } : undefined);
}

const isOpen = ({ budget, name }: Sending): boolean =>
	sentWrites.find(budget, name)?.state === 'unknown';

/**
 * Notes that a write is about to be sent. Until its outcome is noted, it may have been sent.
 *
 * @param hashes named for it before
 * @param key under which the service will keep it
 * @example noteBegun(context, sending, [], undefined);
 */
export function noteBegun(
	context: IExecuteSingleFunctions,
	sending: Sending,
	hashes: readonly string[],
	key: string | undefined,
): void {
	const { call, execution } = sending;
	const reason = 'the run ended before an answer arrived';
	const unknown = { reason, hashes, ...decidableOf(sending, key) };
	keep(context, sending, { state: 'unknown', call, execution, ...unknown });
	count(sending, 'begun');
}

/**
 * Notes that a write was submitted.
 *
 * @param key under which the service has kept it
 * @example noteDone(context, sending, { answer, submittedAt }, undefined);
 */
export function noteDone(
	context: IExecuteSingleFunctions,
	sending: Sending,
	done: DoneWrite,
	key: string | undefined,
): void {
	const { call, callKey } = sending;
	noteDecided(callKey, key, true);
	count(sending, 'done');
	const record = { ...done, state: 'answered', call } as const;
	keep(context, sending, record);
	noteForTool(sending, record);
}

function noteForTool(sending: Sending, record: WriteRecord): void {
	const { toolCall, key } = sending;
	if (toolCall && key.orderId === undefined) noteOfTool(sending, toolCall, record);
}

/**
 * Counts what a service has recorded under the key of a write.
 *
 * @param key under which it has recorded it
 * @example countReplay(sending, { isConflict: false, isOwn: false }, 'n8n-5f16…');
 */
export function countReplay(
	sending: Sending,
	{ isConflict, isOwn }: Pick<Replay, 'isConflict' | 'isOwn'>,
	key: string | undefined,
): void {
	noteDecided(sending.callKey, key, true);
	if (isOwn) count(sending, 'done');
	else if (!isConflict) sentWrites.noteOfOther(sending.budget, sending.name);
	// What may have been sent under the key before is what was found.
	else if (!isOpen(sending)) count(sending, 'refused');
}

/** What a service has recorded under the key of a write. */
export interface Replay {
	readonly done: DoneWrite;
	readonly call: CanonicalCall;
	/** Whether it stands in the way of the write, and nothing of this place was sent. */
	readonly isConflict: boolean;
	/** Whether a request of this attempt may have submitted it. */
	readonly isOwn: boolean;
}

/**
 * Notes that the service has recorded another attempt under the key of a write.
 *
 * @example noteReplay(context, sending, { done, call, isConflict: false, isOwn: false });
 */
export function noteReplay(
	context: IExecuteSingleFunctions,
	sending: Sending,
	{ done, call, isConflict, isOwn }: Replay,
): void {
	const isOrder = sending.key.orderId !== undefined;
	const isEqual = call.digest === sending.call.digest;
	const record = { ...done, state: 'answered', call } as const;
	// Another attempt at this place must not pay another order; an order that others have paid leaves it free.
	keep(context, sending, isConflict || (isOrder && !isOwn) ? undefined : record);
	if (isEqual) noteForTool(sending, record);
}

/**
 * Notes that a write was refused, or that its outcome is unknown.
 *
 * @param key under which it was last sent, if the service keeps it
 * @param mayArrive whether an earlier request under its key could still arrive, so that only a decision refuses it
 * @example noteNotDone(context, sending, error, { key: undefined, mayArrive: false });
 */
export function noteNotDone(
	context: IExecuteSingleFunctions,
	sending: Sending,
	error: unknown,
	{ key, mayArrive }: { readonly key: string | undefined; readonly mayArrive: boolean },
): void {
	const { call, callKey, nodeKey, before, isKept, execution, retry } = sending;
	if (error instanceof ServiceError && !error.isRefused) {
		const isOrder = sending.key.orderId !== undefined;
		const decidable = key && { ...decidableOf(sending, key), isOrder };
		const unknown = { reason: error.inOneSentence(), hashes: error.hashes, nodeKey, ...decidable };
		keep(context, sending, { state: 'unknown', call, execution, ...unknown });
		count(sending, 'unknown', key);
		unknownCalls.set(callKey, unknown);
		return;
	}
	// Without a decision of the service, an earlier request may still be carried out; what a Retry has asked for is decided.
	const isDecidedNow = isKept && (mayArrive || retry !== undefined);
	if (!isOpen(sending) || isDecidedNow) count(sending, 'refused');
	if (isKept) noteDecided(callKey, key, false);
	const isDecided = before?.state === 'unknown' && before.firstKey === sending.key.first;
	keep(context, sending, isDecided ? undefined : before);
}
