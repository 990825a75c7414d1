import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readActiveCredential } from '../request/credential/active-credential';
import { baseUrlOf } from '../request/credential/base-url';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './identity';
import { canonicalCall, placeOf } from './identity';
import { records } from './memory/memory';
import type { DoneWrite, WriteRecord } from './memory/write-records';
import { afterEarlierTry, stillUnknown, unknownInWords } from './refusals';

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
