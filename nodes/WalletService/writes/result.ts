import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readAccount } from '../request/credential/account';
import { isTool } from '../request/run/tool-call';
import { EARLIER, withHashes } from '../values/hashes';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './canonical-call';
import { canonicalCall, recordedCall } from './canonical-call';
import { placeOf } from './place';
import { afterEarlierTry, stillUnknown, unknownInWords, unreadInRetry } from './failures';
import type { FoundUnderKey } from './send/state-of-key';
import type { DoneWrite, WriteRecord } from './ledger/process-records';
import { tryRecordOf, recordsOfRun, triesOf } from './tries';

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
	/**
	 * Another write that stands in the way of this one: the service has recorded it under its key, or a Retry has found it at its
	 * place, although its rows are others.
	 */
	readonly conflict?: 'key' | 'rows';
	/** Whether another call of a model has sent it, which equals this one. */
	readonly isOfEqual?: boolean;
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
	return { answer, submittedAt, sentAtMs, userId, replayOf, call, orderId };
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
	if (record !== undefined) return afterEarlierTry(error, record);
	const isUnread = isTool(context) && triesOf(context).key === undefined;
	return isUnread && context.getMode() === 'retry' ? unreadInRetry(error) : error;
}

/**
 * Formats a submitted write as a line for the error that stops its run.
 *
 * @param which the item or row
 * @example submittedLine('item 4', { answer: { hash: '0x12', explorerUrl: 'https://e.example' } }) // 'Submitted before, item 4: 0x12 https://e.example'
 */
export function submittedLine(
	which: string,
	{ answer, earlierHashes }: Pick<DoneWrite, 'answer' | 'earlierHashes'>,
): string {
	const { hash, explorerUrl } = isItem(answer) ? answer : {};
	const link = typeof explorerUrl === 'string' && LINK.test(explorerUrl) ? ` ${explorerUrl}` : '';
	const line = `Submitted before, ${which}: ${String(hash)}${link}`;
	return withHashes(line, EARLIER, earlierHashes);
}

/**
 * Lists certain and possible transactions of earlier attempts of other items, for a run that stops before them.
 *
 * @param nameOf what the lines call an item, by its index
 * @example earlierWrites(context, (index) => `item ${index + 1}`) // [], at the first attempt
 */
export function earlierWrites(
	context: IExecuteSingleFunctions,
	nameOf: (index: number) => string,
): string[] {
	const place = placeOf(context);
	const others = recordsOfRun(context, place).filter(([item]) => item !== place.item);
	return others.map(([item, record]) => {
		if (record.state === 'answered') return submittedLine(nameOf(item), record);
		return `Unknown outcome, ${nameOf(item)}: ${unknownInWords(record)}`;
	});
}
