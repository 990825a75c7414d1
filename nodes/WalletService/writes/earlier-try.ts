import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { readActiveCredential } from '../request/credential/active-credential';
import { normalizeBaseUrl } from '../request/credential/base-url';
import type { CanonicalCall } from './canonical-call';
import { canonicalCall } from './canonical-call';
import { records } from './memory';
import { placeOf } from './place';
import { afterEarlierTry, stillUnknown } from './refusals';

/** What a write came to. */
export interface WriteResult {
	readonly answer: unknown;
	/** The call whose recorded answer this is, when it was sent by an earlier try. */
	readonly replayOf?: CanonicalCall;
	/** The call that this try asked for; absent when it could not be read any more. */
	readonly call?: CanonicalCall;
	/** Transaction hashes of an earlier sending whose outcome nobody knew. */
	readonly earlierHashes?: readonly string[];
}

/** The call of an item, checked, or why there is none. */
export type PlannedWrite = PromiseSettledResult<CheckedCall>;

/** Where the calls of a credential go. @throws InvalidInputError when its base URL is not acceptable. */
export function baseUrlOf({ baseUrl, allowInsecureHttp }: ICredentialDataDecryptedObject): string {
	return normalizeBaseUrl(baseUrl, allowInsecureHttp === true);
}

/** What this try asks for, and where it would go; `undefined` when that cannot be read now. */
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
 * What an earlier try at the place of an item has left: its answer, when it was answered.
 *
 * @throws ServiceError when nobody knows what became of it, unless it may be sent again.
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
	return { answer: record.answer, replayOf: record.call, ...(call !== undefined && { call }) };
}

/**
 * Why an item failed, together with what an earlier try at its place came to: an item whose transaction may be under way
 * must not say that nothing was sent, whatever stops it now.
 */
export function withEarlierTry(context: IExecuteSingleFunctions, error: unknown): unknown {
	const record = records.find(placeOf(context));
	return record === undefined ? error : afterEarlierTry(error, record);
}
