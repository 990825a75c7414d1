import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readActiveCredential } from '../request/credential/active-credential';
import { baseUrlOf } from '../request/credential/base-url';
import { ServiceError } from '../request/failure/service-error';
import { isHash, uniqueHashes } from '../values/hashes';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './identity';
import { canonicalCall, placeOf } from './identity';
import { records, UNKNOWN_CALL_MINUTES } from './memory/memory';
import type { DoneWrite, UnknownCall, WriteRecord } from './memory/write-records';

/** A link that can stand in a line: the service may have written anything. */
const LINK = /^https?:\/\/[!-~]{1,500}$/;

/** The result of a write. */
export interface WriteResult extends DoneWrite {
	/** The call that this recorded answer belongs to; absent unless it is a replay. */
	readonly replayOf?: CanonicalCall;
	/** The call that this try asked for; absent if it could no longer be read. */
	readonly call?: CanonicalCall;
}

/**
 * What is known of an earlier try at the place of an item.
 *
 * @example earlierTry(context) // undefined, at the first try
 */
export function earlierTry(context: IExecuteSingleFunctions): WriteRecord | undefined {
	return records.find(placeOf(context));
}

/**
 * Whether the execution of an item has sent a write, or may have, by any node.
 *
 * @example sentInThisExecution(context) // true, behind a node that has just sent tokens
 */
export function sentInThisExecution(context: IExecuteSingleFunctions): boolean {
	return records.hasAny(placeOf(context).scope);
}

type Unknown = Extract<WriteRecord, { state: 'unknown' }>;

function unknownInWords({ reason, hashes }: UnknownCall): string {
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

/** The call of this try, with the service it would be sent to; `undefined` if either cannot be read now. */
async function askedFor(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
): Promise<CanonicalCall | undefined> {
	if (planned.status === 'rejected') return undefined;
	try {
		return canonicalCall(baseUrlOf(await readActiveCredential(context)), planned.value);
	} catch {
		return undefined;
	}
}

/**
 * The result of an earlier try at the place of an item.
 *
 * @param planned the call of this try, or the reason why there is none
 * @param record what is known of the earlier try
 * @throws ServiceError when its outcome is unknown.
 * @example (await earlierResult(context, planned, record)).replayOf // { digest: '0x…', shown: { … } }
 */
export async function earlierResult(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
	record: WriteRecord,
): Promise<WriteResult> {
	const call = await askedFor(context, planned);
	if (record.state === 'unknown') throw stillUnknown(record, call);
	return { ...record, replayOf: record.call, call };
}

/**
 * The failure of an item, with the outcome of an earlier try at its place: an item whose transaction may be pending must
 * not report that nothing was sent, whatever stops it now.
 *
 * @example withEarlierTry(context, error) // error, unless an earlier try sent something
 */
export function withEarlierTry(context: IExecuteSingleFunctions, error: unknown): unknown {
	const record = earlierTry(context);
	return record === undefined ? error : afterEarlierTry(error, record);
}

/**
 * A write that is done, in a line of the error that ends its run.
 *
 * @example submittedLine(3, { answer: { hash: '0x12', explorerUrl: 'https://e.example' } }) // 'Submitted before, item 3: 0x12 https://e.example'
 */
export function submittedLine(
	item: number,
	{ answer, earlierHashes = [] }: Pick<DoneWrite, 'answer' | 'earlierHashes'>,
): string {
	const { hash, explorerUrl } = isItem(answer) ? answer : {};
	const link = typeof explorerUrl === 'string' && LINK.test(explorerUrl) ? ` ${explorerUrl}` : '';
	const earlier =
		earlierHashes.length === 0
			? ''
			: `; an earlier sending named the transaction ${earlierHashes.join(', ')}`;
	return `Submitted before, item ${item}: ${String(hash)}${link}${earlier}`;
}

/**
 * What tries of the other items of a run did or may have done, one line each: a try that ends before it has come to them
 * again must not hide it.
 *
 * @example earlierWrites(context) // [], at the first try
 */
export function earlierWrites(context: IExecuteSingleFunctions): string[] {
	const place = placeOf(context);
	const others = records.ofRun(place).filter(([item]) => item !== place.item);
	return others.map(([item, record]) =>
		record.state === 'answered'
			? submittedLine(item, record)
			: `Of unknown outcome, item ${item}: ${unknownInWords(record)}`,
	);
}
