import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readAccount } from '../request/credential/account';
import { ServiceError } from '../request/failure/service-error';
import { executionIdOf } from '../request/run/tool-call';
import { EARLIER, isHash, uniqueHashes, withHashes } from '../values/hashes';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './identity';
import { canonicalCall, placeOf, recordedCall } from './identity';
import type { FoundUnderKey } from './key-record';
import { records, UNKNOWN_CALL_MINUTES } from './memory/process-memory';
import type { DoneWrite, UnknownCall, WriteRecord } from './memory/write-records';
import { tryRecordOf, recordsOfRun } from './tries';

/** A link that is safe to show in one line; the service may send any text. */
const LINK = /^https?:\/\/(?:(?![<>&`\\])[!-~]){1,500}$/;

/** The result of a write. */
export interface WriteResult extends DoneWrite {
	/** The call of a recorded answer; absent for a new answer. */
	readonly replayOf?: CanonicalCall;
	/** The call of this attempt; absent if it can no longer be read. */
	readonly call?: CanonicalCall;
	/** The order that the service has recorded before, in place of this write. */
	readonly orderId?: string;
}

/**
 * Whether any node has sent, or may have sent, a write in the execution of an item.
 *
 * @example sentInThisExecution(context) // true, behind a node that has just sent tokens
 */
export function sentInThisExecution(context: IExecuteSingleFunctions): boolean {
	return records.hasSent(placeOf(context).scope, executionIdOf(context));
}

type Unknown = Extract<WriteRecord, { state: 'unknown' }>;

function unknownInWords({ reason, hashes }: UnknownCall): string {
	return withHashes(reason, 'it reported', hashes);
}

function notSentAgain(message: string, hashes: readonly string[]): ServiceError {
	return new ServiceError({
		message,
		hint: "Check the wallet's history first. To send the write again anyway, switch on Send Again under Options",
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
	return notSentAgain(
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
	return notSentAgain(
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
	return notSentAgain(
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
	// It names what was sent, which is another write.
	if (failure?.details.code === 'retry-conflict') return failure;
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
	return notSentAgain(
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
		...{ httpStatus, connectionCode },
		earlierHashes: unsent instanceof ServiceError ? unsent.hashes : [],
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

/**
 * Returns the result of a write that the service has recorded.
 *
 * @example (await keptResult(context, planned, { answer }, '1234')).orderId // '1234'
 */
export async function keptResult(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
	{ answer, sentAtMs }: Pick<FoundUnderKey, 'answer'> & Partial<FoundUnderKey>,
	orderId?: string,
): Promise<WriteResult> {
	const { baseUrl, userId } = await readAccount(context);
	const fn = planned.status === 'fulfilled' ? planned.value.contractFunction : undefined;
	const submittedAt = typeof answer.submittedAt === 'string' ? answer.submittedAt : '';
	const replayOf = recordedCall(baseUrl, answer.tx, fn);
	const call = await askedFor(context, planned);
	const execution = records.whoTried(placeOf(context), replayOf.digest);
	return { answer, submittedAt, sentAtMs, execution, userId, replayOf, call, orderId };
}

/** Reads the call of this attempt and its service; `undefined` if either cannot be read now. */
async function askedFor(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
): Promise<CanonicalCall | undefined> {
	if (planned.status === 'rejected') return undefined;
	try {
		return canonicalCall((await readAccount(context)).baseUrl, planned.value);
	} catch {
		return undefined;
	}
}

/**
 * Returns the result of an earlier attempt at an item's place.
 *
 * @param planned the call of this attempt, or the error that prevented it
 * @param record the record of the earlier attempt
 * @throws ServiceError if its outcome is unknown.
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
 * Adds the outcome of an earlier attempt at an item's place to its failure: an item whose transaction may be pending
 * must not report that nothing was sent.
 *
 * @example withEarlierTry(context, error) // error, unless an earlier attempt sent something
 */
export function withEarlierTry(context: IExecuteSingleFunctions, error: unknown): unknown {
	const record = tryRecordOf(context, placeOf(context));
	return record === undefined ? error : afterEarlierTry(error, record);
}

/**
 * Formats a submitted write as a line for the error that stops its run.
 *
 * @example submittedLine(3, { answer: { hash: '0x12', explorerUrl: 'https://e.example' } }) // 'Submitted before, item 4: 0x12 https://e.example'
 */
export function submittedLine(
	item: number,
	{ answer, earlierHashes }: Pick<DoneWrite, 'answer' | 'earlierHashes'>,
): string {
	const { hash, explorerUrl } = isItem(answer) ? answer : {};
	const link = typeof explorerUrl === 'string' && LINK.test(explorerUrl) ? ` ${explorerUrl}` : '';
	const line = `Submitted before, item ${item + 1}: ${String(hash)}${link}`;
	return withHashes(line, EARLIER, earlierHashes);
}

/**
 * Lists certain and possible transactions of earlier attempts of other items, for a run that stops before them.
 *
 * @example earlierWrites(context) // [], at the first attempt
 */
export function earlierWrites(context: IExecuteSingleFunctions): string[] {
	const place = placeOf(context);
	const others = recordsOfRun(context, place).filter(([item]) => item !== place.item);
	return others.map(([item, record]) => {
		if (record.state === 'answered') return submittedLine(item, record);
		return `Unknown outcome, item ${item + 1}: ${unknownInWords(record)}`;
	});
}
