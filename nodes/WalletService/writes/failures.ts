import { ServiceError } from '../request/failure/service-error';
import { isHash, uniqueHashes, withHashes } from '../values/hashes';
import type { CanonicalCall } from './canonical-call';
import { UNKNOWN_CALL_MINUTES } from './ledger/process-memory';
import type { UnknownCall, WriteRecord } from './ledger/process-records';

type Unknown = Extract<WriteRecord, { state: 'unknown' }>;

/**
 * An unknown outcome in words, with its hashes.
 *
 * @example unknownInWords({ reason: 'no answer', hashes: [] }) // 'no answer'
 */
export function unknownInWords({ reason, hashes }: UnknownCall): string {
	return withHashes(reason, 'it reported', hashes);
}

function refusedAgain(message: string, hashes: readonly string[]): ServiceError {
	return new ServiceError({
		message,
		hint: "Check the wallet's history first. To send the write again anyway, run it again with Send Again on (Options)",
		code: 'not-sent-again',
		state: 'unknown',
		...(hashes.length > 0 && { earlierHashes: hashes }),
	});
}

/**
 * The refusal of a write that an earlier attempt at the same place may have sent, whatever this attempt requests.
 *
 * @param asked the call of this attempt, shown in the message if it differs
 * @example stillUnknown({ state: 'unknown', reason: 'no answer', hashes: [] }).details.state // 'unknown'
 */
export function stillUnknown(unknown: Unknown, asked?: CanonicalCall): ServiceError {
	const { call } = unknown;
	const isOther = call !== undefined && asked !== undefined && call.digest !== asked.digest;
	const others = isOther
		? `. The earlier attempt requested ${JSON.stringify(call.shown)}; this one requests ${JSON.stringify(asked.shown)}`
		: '';
	return refusedAgain(
		`Not sent again: an earlier attempt in this execution may have sent this transaction (${unknownInWords(unknown)})${others}`,
		unknown.hashes,
	);
}

/**
 * The refusal of a call that equals an earlier one, from any place, whose outcome is unknown.
 *
 * @example blockedCall({ reason: 'no answer', hashes: [] }).details.code // 'not-sent-again'
 */
export function blockedCall(unknown: UnknownCall): ServiceError {
	return refusedAgain(
		`Not sent again: an earlier write with this credential may have sent this transaction (${unknownInWords(unknown)}). The same call is blocked for ${UNKNOWN_CALL_MINUTES} minutes after that write, unless Send Again is on (Options)`,
		unknown.hashes,
	);
}

/**
 * The refusal of a call that equals an earlier one whose outcome was unknown, and which has been carried out.
 *
 * @example wentThrough('0xab').message // 'Not sent again: an earlier, equal write …'
 */
export function wentThrough(hash: string): ServiceError {
	return refusedAgain(
		'Not sent again: an earlier, equal write whose outcome was unknown has been submitted. If this one is a further one, run the node again',
		[hash],
	);
}

function messageOf(error: unknown): string {
	if (error instanceof ServiceError) return error.inOneSentence();
	return error instanceof Error ? error.message : String(error);
}

/**
 * The failure of an item whose transaction an earlier attempt sent or may have sent.
 *
 * @example
 * const record = { state: 'unknown', reason: 'no answer', hashes: ['0xab'] };
 * afterEarlierTry(new Error('No credential'), record).hashes // ['0xab']
 */
export function afterEarlierTry(error: unknown, record: WriteRecord): unknown {
	const failure = error instanceof ServiceError ? error : undefined;
	// It names what was sent, which is another write, or had no effect.
	if (failure?.details.code === 'retry-conflict' || failure?.details.code === 'order-failed')
		return failure;
	const isUnknown = record.state === 'unknown';
	const hashes = isUnknown
		? record.hashes
		: // Other 32-byte values in an answer, such as `r` and `s`, do not count.
			uniqueHashes([Object(record.answer).hash, ...(record.earlierHashes ?? [])].filter(isHash));
	if (failure?.details.state === 'unknown') {
		const { earlierHashes = [] } = failure.details;
		return failure.with({ earlierHashes: uniqueHashes([...earlierHashes, ...hashes]) });
	}
	const earlier = isUnknown
		? `may have sent this transaction (${unknownInWords(record)})`
		: `submitted transaction ${hashes.join(', ')}`;
	return refusedAgain(
		`${messageOf(error)}. An earlier attempt in this execution ${earlier}`,
		uniqueHashes([...(failure?.hashes ?? []), ...hashes]),
	);
}

/**
 * The failure of a write that this attempt has not sent, and of which the service could not be asked whether it was sent
 * before.
 *
 * @param failure of the request that asks, with its status or connection code, by which it is told from other failures
 * @example notAsked(new Error('Not allowed'), new Error('No answer')).details.state // 'unknown'
 */
export function notAsked(unsent: unknown, failure: unknown): ServiceError {
	const { httpStatus, connectionCode } = failure instanceof ServiceError ? failure.details : {};
	const why = failure === unsent ? '' : ` (${messageOf(failure)})`;
	return new ServiceError({
		message: `${messageOf(unsent)}. This attempt sent nothing, but the service could not be asked whether an earlier one did${why}`,
		hint: 'Run the node again once the service answers: it then reports what was sent',
		code: 'not-sent-again',
		state: 'unknown',
		httpStatus,
		connectionCode,
		earlierHashes: unsent instanceof ServiceError ? unsent.hashes : [],
	});
}

/**
 * The failure of a tool's call that can no longer be read in a Retry: n8n may have lost what the model has filled in, and the
 * retried execution may have sent it.
 *
 * @example unreadInRetry(new Error('Amount: nothing')).details.state // 'unknown'
 */
export function unreadInRetry(error: unknown): ServiceError {
	return new ServiceError({
		message: `${messageOf(error)}. This attempt sent nothing, but the retried execution may have sent this call`,
		hint: "Check the wallet's history first",
		code: 'not-sent-again',
		state: 'unknown',
		earlierHashes: error instanceof ServiceError ? error.hashes : [],
	});
}

/**
 * The failure of a write whose turn did not come, and which may have been sent before.
 *
 * @example notLookedFor(new ServiceError({ message: 'Not sent', hint: '', code: 'not-sent' })).details.state // 'unknown'
 */
export function notLookedFor(stopped: ServiceError): ServiceError {
	const hint =
		'This execution sent nothing for this item. If an earlier one did, a Retry reports it';
	return stopped.with({ state: 'unknown', hint });
}
