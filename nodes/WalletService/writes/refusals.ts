import { ServiceError } from '../request/failure/service-error';
import { hashesIn, uniqueHashes } from '../values/hashes';
import type { CanonicalCall } from './canonical-call';
import type { UnknownCall } from './memory/unknown-calls';
import { UNKNOWN_CALL_MINUTES } from './memory/unknown-calls';
import type { WriteRecord } from './memory/write-records';

type Unknown = Extract<WriteRecord, { state: 'unknown' }>;

const RESEND =
	'Check the history of the wallet. To send it again all the same, switch on Resend When Unknown under Options.';

/**
 * A call in one line of a message.
 *
 * @example inWords({ shown: { function: 'pause()' } }) // '{"function":"pause()"}'
 */
export function inWords({ shown }: CanonicalCall): string {
	return JSON.stringify(shown);
}

function named(hashes: readonly string[]): string {
	return hashes.length === 0 ? '' : `; it named the transaction ${hashes.join(', ')}`;
}

/**
 * A write of unknown outcome in words.
 *
 * @example unknownInWords({ state: 'unknown', reason: 'no answer', hashes: ['0x12'] }) // 'no answer; it named the transaction 0x12'
 */
export function unknownInWords({ reason, hashes }: UnknownCall): string {
	return `${reason}${named(hashes)}`;
}

/** @param earlier what may have sent it @param more sentences behind */
function notSentAgain(unknown: UnknownCall, earlier: string, more: string): ServiceError {
	const { hashes } = unknown;
	return new ServiceError({
		message: `Not sent again: ${earlier} may have sent this transaction (${unknownInWords(unknown)})${more}`,
		hint: RESEND,
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
		? `. The earlier try asked for ${inWords(call)}, this one asks for ${inWords(asked)}`
		: '';
	return notSentAgain(unknown, 'an earlier try in this execution', others);
}

/**
 * The refusal of a call that was sent before, anywhere, with unknown outcome.
 *
 * @example blockedCall({ reason: 'no answer', hashes: [] }).details.code // 'not-sent-again'
 */
export function blockedCall(unknown: UnknownCall): ServiceError {
	return notSentAgain(
		unknown,
		'an earlier write with this credential',
		`. The same call is blocked for ${UNKNOWN_CALL_MINUTES} minutes after it, unless Resend When Unknown is on (Options)`,
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
	if (error instanceof ServiceError && error.details.outcome === 'unknown') return error;
	const message = messageOf(error);
	const hashes =
		record.state === 'unknown'
			? record.hashes
			: uniqueHashes([...hashesIn(JSON.stringify(record.answer)), ...(record.earlierHashes ?? [])]);
	const own = error instanceof ServiceError ? (error.details.hashes ?? []) : [];
	const all = uniqueHashes([...own, ...hashes]);
	const earlier =
		record.state === 'unknown'
			? `may have sent this transaction (${record.reason}${named(hashes)})`
			: `has submitted the transaction ${hashes.join(', ')}`;
	return new ServiceError({
		message: `${message}. An earlier try in this execution ${earlier}`,
		hint: RESEND,
		code: 'not-sent-again',
		outcome: 'unknown',
		...(all.length > 0 && { hashes: all }),
	});
}
