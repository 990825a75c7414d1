import { ServiceError } from '../request/failure/service-error';
import { isHash, uniqueHashes } from '../values/hashes';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './identity';
import { UNKNOWN_CALL_MINUTES } from './memory/memory';
import type { UnknownCall, WriteRecord } from './memory/write-records';

type Unknown = Extract<WriteRecord, { state: 'unknown' }>;

/**
 * A write of unknown outcome in words.
 *
 * @example unknownInWords({ state: 'unknown', reason: 'no answer', hashes: ['0x12'] }) // 'no answer; it named the transaction 0x12'
 */
export function unknownInWords({ reason, hashes }: UnknownCall): string {
	return hashes.length === 0 ? reason : `${reason}; it named the transaction ${hashes.join(', ')}`;
}

function notSentAgain(message: string, hashes: readonly string[]): ServiceError {
	return new ServiceError({
		message,
		hint: 'Check the history of the wallet. To send it again all the same, switch on Resend When Unknown under Options.',
		code: 'not-sent-again',
		outcome: 'unknown',
		...(hashes.length > 0 && { hashes }),
	});
}

/**
 * The refusal of a write that an earlier try at the same place may have sent, whatever this try asks for.
 *
 * @param asked the call of this try, which the message names if it differs
 * @example stillUnknown({ state: 'unknown', reason: 'no answer', hashes: [] }).details.outcome // 'unknown'
 */
export function stillUnknown(unknown: Unknown, asked?: CanonicalCall): ServiceError {
	const { call } = unknown;
	const isOther = call !== undefined && asked !== undefined && call.digest !== asked.digest;
	const others = isOther
		? `. The earlier try asked for ${JSON.stringify(call.shown)}, this one asks for ${JSON.stringify(asked.shown)}`
		: '';
	return notSentAgain(
		`Not sent again: an earlier try in this execution may have sent this transaction (${unknownInWords(unknown)})${others}`,
		unknown.hashes,
	);
}

/**
 * The refusal of a call that was sent before, anywhere, with unknown outcome.
 *
 * @example blockedCall({ reason: 'no answer', hashes: [] }).details.code // 'not-sent-again'
 */
export function blockedCall(unknown: UnknownCall): ServiceError {
	return notSentAgain(
		`Not sent again: an earlier write with this credential may have sent this transaction (${unknownInWords(unknown)}). The same call is blocked for ${UNKNOWN_CALL_MINUTES} minutes after it, unless Resend When Unknown is on (Options)`,
		unknown.hashes,
	);
}

/**
 * The failure of a sending, with the transaction hashes of an earlier one at the same place.
 *
 * @example
 * const error = new ServiceError({ message: 'no answer', hint: '', code: 'timeout' });
 * withHashes(error, ['0xab']).details.hashes // ['0xab']
 */
export function withHashes(error: unknown, earlier: readonly string[]): unknown {
	if (!(error instanceof ServiceError) || earlier.length === 0) return error;
	const { message, hashes = [] } = error.details;
	return error.with({
		message: `${message}; an earlier sending named the transaction ${earlier.join(', ')}`,
		hashes: uniqueHashes([...hashes, ...earlier]),
	});
}

/** The transaction of an answer that is done: other values of 32 bytes in it, such as `r` and `s`, are none. */
const hashesOf = (answer: unknown): string[] =>
	isItem(answer) && isHash(answer.hash) ? [answer.hash] : [];

function messageOf(error: unknown): string {
	if (error instanceof ServiceError) return error.inOneSentence();
	return error instanceof Error ? error.message : String(error);
}

/**
 * The failure of an item whose transaction an earlier try has sent, or may have sent.
 *
 * @example
 * const record = { state: 'unknown', reason: 'no answer', hashes: ['0xab'] };
 * afterEarlierTry(new Error('No credential'), record).details.hashes // ['0xab']
 */
export function afterEarlierTry(error: unknown, record: WriteRecord): unknown {
	const { outcome, hashes: own = [] } = error instanceof ServiceError ? error.details : {};
	if (outcome === 'unknown') return error;
	const isUnknown = record.state === 'unknown';
	const hashes = isUnknown
		? record.hashes
		: uniqueHashes([...hashesOf(record.answer), ...(record.earlierHashes ?? [])]);
	const earlier = isUnknown
		? `may have sent this transaction (${unknownInWords(record)})`
		: `has submitted the transaction ${hashes.join(', ')}`;
	return notSentAgain(
		`${messageOf(error)}. An earlier try in this execution ${earlier}`,
		uniqueHashes([...own, ...hashes]),
	);
}
