import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readActiveCredential } from '../request/credential/active-credential';
import { baseUrlOf } from '../request/credential/base-url';
import { ServiceError } from '../request/failure/service-error';
import { isHash, uniqueHashes } from '../values/hashes';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './identity';
import { canonicalCall, placeOf } from './identity';
import { records, UNKNOWN_CALL_MINUTES } from './memory/process-memory';
import type { DoneWrite, UnknownCall, WriteRecord } from './memory/write-records';

/** A link safe to show in one line: the service may send anything. */
const LINK = /^https?:\/\/[!-~]{1,500}$/;

/** The result of a write. */
export interface WriteResult extends DoneWrite {
	/** The call that this recorded answer belongs to; absent unless it is a replay. */
	readonly replayOf?: CanonicalCall;
	/** The call that this attempt requested; absent if it can no longer be read. */
	readonly call?: CanonicalCall;
}

/**
 * The record of an earlier attempt at an item's place.
 *
 * @example earlierTry(context) // undefined, at the first attempt
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
	return hashes.length === 0 ? reason : `${reason}; it reported transaction ${hashes.join(', ')}`;
}

function notSentAgain(message: string, hashes: readonly string[]): ServiceError {
	return new ServiceError({
		message,
		hint: "Check the wallet's history first. To send it anyway, switch on Resend When Unknown under Options",
		code: 'not-sent-again',
		outcome: 'unknown',
		...(hashes.length > 0 && { hashes }),
	});
}

/**
 * The refusal of a write that an earlier attempt at the same place may have sent, whatever this attempt requests.
 *
 * @param asked the call of this attempt, shown in the message if it differs
 * @example stillUnknown({ state: 'unknown', reason: 'no answer', hashes: [] }).details.outcome // 'unknown'
 */
export function stillUnknown(unknown: Unknown, asked?: CanonicalCall): ServiceError {
	const { call } = unknown;
	const isOther = call !== undefined && asked !== undefined && call.digest !== asked.digest;
	const others = isOther
		? `. The earlier attempt requested ${JSON.stringify(call.shown)}, this one requests ${JSON.stringify(asked.shown)}`
		: '';
	return notSentAgain(
		`Not sent again: an earlier attempt in this execution may have sent this transaction (${unknownInWords(unknown)})${others}`,
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
 * The failure of an attempt, with the transaction hashes of an earlier one at the same place.
 *
 * @example
 * const error = new ServiceError({ message: 'no answer', hint: '', code: 'timeout' });
 * withHashes(error, ['0xab']).details.hashes // ['0xab']
 */
export function withHashes(error: unknown, earlier: readonly string[]): unknown {
	if (!(error instanceof ServiceError) || earlier.length === 0) return error;
	const { message, hashes = [] } = error.details;
	return error.with({
		message: `${message}; an earlier attempt reported transaction ${earlier.join(', ')}`,
		hashes: uniqueHashes([...hashes, ...earlier]),
	});
}

/** The transaction of a successful answer; its other 32-byte values, such as `r` and `s`, are not hashes. */
const hashesOf = (answer: unknown): string[] =>
	isItem(answer) && isHash(answer.hash) ? [answer.hash] : [];

function messageOf(error: unknown): string {
	if (error instanceof ServiceError) return error.inOneSentence();
	return error instanceof Error ? error.message : String(error);
}

/**
 * The failure of an item whose transaction an earlier attempt has sent, or may have sent.
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
		: `has submitted transaction ${hashes.join(', ')}`;
	return notSentAgain(
		`${messageOf(error)}. An earlier attempt in this execution ${earlier}`,
		uniqueHashes([...own, ...hashes]),
	);
}

/** The call of this attempt, with the service it would be sent to; `undefined` if either cannot be read now. */
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
 * The result of an earlier attempt at an item's place.
 *
 * @param planned the call of this attempt, or the reason why there is none
 * @param record of the earlier attempt
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
 * The failure of an item, with the outcome of an earlier attempt at its place: an item whose transaction may be pending
 * must not report that nothing was sent, whatever stops it now.
 *
 * @example withEarlierTry(context, error) // error, unless an earlier attempt sent something
 */
export function withEarlierTry(context: IExecuteSingleFunctions, error: unknown): unknown {
	const record = earlierTry(context);
	return record === undefined ? error : afterEarlierTry(error, record);
}

/**
 * A done write, as a line in the error that ends its run.
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
			: `; an earlier attempt reported transaction ${earlierHashes.join(', ')}`;
	return `Submitted before, item ${item}: ${String(hash)}${link}${earlier}`;
}

/**
 * What earlier attempts of the run's other items did or may have done, one line each: an attempt that ends before it
 * reaches them again must not hide it.
 *
 * @example earlierWrites(context) // [], at the first attempt
 */
export function earlierWrites(context: IExecuteSingleFunctions): string[] {
	const place = placeOf(context);
	const others = records.ofRun(place).filter(([item]) => item !== place.item);
	return others.map(([item, record]) =>
		record.state === 'answered'
			? submittedLine(item, record)
			: `Unknown outcome, item ${item}: ${unknownInWords(record)}`,
	);
}
