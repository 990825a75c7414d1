import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readActiveCredential } from '../request/credential/active-credential';
import { normalizeBaseUrl } from '../request/credential/base-url';
import { isItem } from '../values/objects';
import type { CanonicalCall } from './canonical-call';
import { canonicalCall } from './canonical-call';
import { records } from './memory/memory';
import { placeOf } from './place';
import { afterEarlierTry, stillUnknown, unknownInWords } from './refusals';

/** The result of a write. */
export interface WriteResult {
	readonly answer: unknown;
	/** The call whose recorded answer this is, if an earlier try sent it. */
	readonly replayOf?: CanonicalCall;
	/** The call that this try asked for; absent if it could no longer be read. */
	readonly call?: CanonicalCall;
	/** When the sending began that it is the answer to: ISO 8601, UTC, with milliseconds. */
	readonly submittedAt: string;
	/** The user whose wallet sent it, as the credential named them then; absent when it named none. */
	readonly userId?: string;
	/** Transaction hashes of an earlier sending of unknown outcome. */
	readonly earlierHashes?: readonly string[];
}

/** The checked call of an item, or the reason why there is none. */
export type PlannedWrite = PromiseSettledResult<CheckedCall>;

/**
 * The base URL for the calls of a credential.
 *
 * @throws InvalidInputError when it is not acceptable.
 * @example baseUrlOf({ baseUrl: 'https://wallet.example.com/v1/' }) // 'https://wallet.example.com'
 */
export function baseUrlOf({ baseUrl, allowInsecureHttp }: ICredentialDataDecryptedObject): string {
	return normalizeBaseUrl(baseUrl, allowInsecureHttp === true);
}

/** The call of this try, with the service it would be sent to; `undefined` if either cannot be read now. */
async function askedFor(
	context: IExecuteSingleFunctions,
	planned: PlannedWrite,
): Promise<CanonicalCall | undefined> {
	if (planned.status === 'rejected') return undefined;
	try {
		return canonicalCall(baseUrlOf(await readActiveCredential(context)), planned.value);
	} catch {
		return undefined;
	}
}

/**
 * The result of an earlier try at the place of an item, if it was answered.
 *
 * @param mayResend whether a write of unknown outcome may be sent again
 * @throws ServiceError when the outcome of the earlier try is unknown, unless it may be sent again.
 * @example await earlierResult(context, planned, false) // undefined, at the first try
 */
export async function earlierResult(
	context: IExecuteSingleFunctions,
	planned: PlannedWrite,
	mayResend: boolean,
): Promise<WriteResult | undefined> {
	const record = records.find(placeOf(context));
	if (record === undefined) return undefined;
	if (record.state === 'unknown' && mayResend) return undefined;
	const call = await askedFor(context, planned);
	if (record.state === 'unknown') throw stillUnknown(record, call);
	const { answer, call: replayOf, submittedAt, userId, earlierHashes = [] } = record;
	return {
		...{ answer, replayOf, submittedAt, earlierHashes },
		...(userId !== undefined && { userId }),
		...(call !== undefined && { call }),
	};
}

/**
 * The failure of an item, with the outcome of an earlier try at its place: an item whose transaction may be pending must
 * not report that nothing was sent, whatever stops it now.
 *
 * @example withEarlierTry(context, error) // error, unless an earlier try sent something
 */
export function withEarlierTry(context: IExecuteSingleFunctions, error: unknown): unknown {
	const record = records.find(placeOf(context));
	return record === undefined ? error : afterEarlierTry(error, record);
}

/**
 * A write that is done, in a line of the error that ends its run.
 *
 * @param earlierHashes those of an earlier sending of unknown outcome
 * @example submittedLine(3, { hash: '0x12', explorerUrl: 'https://e.example' }) // 'Submitted before, item 3: 0x12 https://e.example'
 */
export function submittedLine(
	item: number,
	answer: unknown,
	earlierHashes: readonly string[] = [],
): string {
	const { hash, explorerUrl } = isItem(answer) ? answer : {};
	const link = typeof explorerUrl === 'string' ? explorerUrl : '';
	const earlier =
		earlierHashes.length === 0
			? ''
			: `; an earlier sending named the transaction ${earlierHashes.join(', ')}`;
	return `Submitted before, item ${item}: ${String(hash)} ${link}${earlier}`;
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
			? submittedLine(item, record.answer, record.earlierHashes)
			: `Of unknown outcome, item ${item}: ${unknownInWords(record)}`,
	);
}
