import type { IDataObject } from 'n8n-workflow';

import type { GetCredentials } from '../../request/credential/shared-credential';
import { connectionFailure } from '../../request/failure/connection';
import type { Received } from '../../request/http/answer';
import { isStatus, orAgain } from '../../request/http/answer';
import { untilDone } from '../../request/http/deadline';
import { keyedUrl } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { momentOf, monotonicMs, SECOND_MS, wallClockMs } from '../../values/clock';
import { hashesIn, isHash } from '../../values/hashes';
import { isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import type { WriteKey } from '../key';
import type { SubmittedAnswer } from '../outcome';
import { unproven } from './submit';

/** A write that the service has recorded under a key. */
export interface FoundUnderKey {
	readonly answer: SubmittedAnswer;
	/** When it was sent, by n8n's clock (ms since 1970); `NaN` if unknown. */
	readonly sentAtMs: number;
	/** Whether an earlier request submitted it. */
	readonly isReplayed: boolean;
}

/** No write will ever take place under the key: it was taken out of use, or its transaction has certainly ended without effect. */
export const USED_UP = 'used up' as const;

/** Writes that were taken out of use at one place or for one order; a service that reports more is not believed. */
export const MAX_ORDINAL = 1000;
/** Time to find out what became of a write after all its attempts, and once more after its run was stopped. */
const DECIDING_MS = 30 * SECOND_MS;

/**
 * Whether the service repeats an earlier answer.
 *
 * @example isRepeat(receive({ statusCode: 200, headers: {}, body: '{}' }, undefined)) // false
 */
export const isRepeat = ({ response }: Received): boolean =>
	response.headers['idempotency-replayed'] === 'true';

/**
 * Whether the service says that no write will ever take place under a key; a proxy, or a failure of this request, does not.
 *
 * @example isUsedUp(receive({ statusCode: 200, headers: {}, body: '{"status":"VOID"}' }, undefined)) // true
 */
export function isUsedUp(received: Received): boolean {
	const { response, text, value } = received;
	const { status } = isItem(value) ? value : {};
	if (response.statusCode === 200 && status === 'VOID') return true;
	const isOfKey =
		response.statusCode === 410 || (response.statusCode === 200 && isRepeat(received));
	return isOfKey && isStatus(status, 'FAILED') && hashesIn(text).length === 0;
}

/** Start of the attempts under a key under which others may have sent: its record always counts as an older one. */
export const OF_OTHERS = Number.POSITIVE_INFINITY;

/** How long ago a record was made, by the clock of the service; `NaN` if unknown. */
const ageMs = (answer: IDataObject, { response }: Received): number =>
	Date.parse(String(response.headers.date)) - momentOf(String(answer.submittedAt));

/**
 * Reads a record with the time when it was made.
 *
 * @example recordOf({ hash: '0x12' }, receive({ statusCode: 200, headers: {}, body: '{}' }, undefined)).sentAtMs // NaN
 */
export const recordOf = (answer: SubmittedAnswer, received: Received) => ({
	answer,
	sentAtMs: wallClockMs() - ageMs(answer, received),
});

/**
 * Whether a record is older than a request of this node, or of unknown age, by the clock of the service.
 *
 * @param startedAt by `monotonicMs`
 * @example isOlder({}, receive({ statusCode: 200, headers: {}, body: '{}' }, undefined), OF_OTHERS) // true
 */
export function isOlder(answer: IDataObject, received: Received, startedAt: number): boolean {
	if (startedAt === OF_OTHERS) return true;
	// The header has no fractions of a second.
	return !(ageMs(answer, received) <= monotonicMs() - startedAt + 2 * SECOND_MS);
}

type Kept = Pick<FoundUnderKey, 'answer' | 'sentAtMs'>;

/** Reads the answer to a request about a key; `undefined` if the service has no write under it. @throws ServiceError */
function readKept(received: Received): Kept | typeof USED_UP | undefined {
	const { statusCode } = received.response;
	if (isUsedUp(received)) return USED_UP;
	const answer = isItem(received.value) ? received.value : undefined;
	const isRecord = statusCode >= 200 && statusCode < 300 && !isStatus(answer?.status, 'FAILED');
	if (isRecord && isHash(answer?.hash)) return recordOf({ ...answer, hash: answer.hash }, received);
	if (statusCode === 404 && answer !== undefined) return undefined;
	throw unproven(received);
}

/**
 * Finds the write that the service has recorded under a key.
 *
 * @param mayArrive whether to take a free key out of use, because a request that is still on its way may use it
 * @returns `undefined` if there is none, or none that can still take place
 * @throws ServiceError if the service cannot be asked.
 * @example (await findKept(client, writeKey(context, place), false))?.answer // { hash: '0x…', … }
 */
export async function findKept(
	client: ServiceClient,
	key: WriteKey,
	mayArrive: boolean,
): Promise<Kept | undefined> {
	for (let ordinal = 0; ordinal < MAX_ORDINAL; ordinal++) {
		const request = { method: 'GET', url: keyedUrl(key.at(ordinal)) } as const;
		const read = (received: Received) => orAgain(() => readKept(received), 'refused-for-now');
		const found = await client.send(request, { read });
		if (found === undefined && mayArrive) return await fence(client, key.at(ordinal));
		if (found !== USED_UP) return found;
	}
	return undefined;
}

/** What became of a write; `undefined` if it certainly never takes place. */
type Decided = FoundUnderKey | undefined;

/** How a write is decided. */
export interface Deciding {
	readonly openCredential?: () => Promise<GetCredentials>;
	/** When its request began, by `monotonicMs`. */
	readonly startedAt?: number;
	/** Called if the execution is stopped meanwhile, with what the service will say. */
	readonly onStopped?: (decided: Promise<Decided>) => void;
}

async function askToFence(
	client: ServiceClient,
	key: string,
	{ openCredential, startedAt = OF_OTHERS }: Deciding,
	maxTries?: number,
): Promise<Decided> {
	const found = await client.evenIfStopped(monotonicMs() + DECIDING_MS).send(
		{ method: 'DELETE', url: keyedUrl(key) },
		{
			openCredential,
			isRepeatable: true,
			maxTries,
			read: (received) => {
				const kept = orAgain(() => readKept(received), 'unknown');
				if (kept === USED_UP) return kept;
				if (kept === undefined) throw unproven(received);
				return { ...kept, isReplayed: isOlder(kept.answer, received, startedAt) };
			},
		},
	);
	return found === USED_UP ? undefined : found;
}

/**
 * Decides a write of unknown outcome: takes its key out of use, unless the service has recorded it.
 *
 * @returns the recorded write; `undefined` if it certainly never takes place
 * @throws ServiceError if the service cannot be asked; at once if the execution is stopped, after which the service is
 * asked nevertheless: see {@link untilDone}.
 * @example await fence(client, key, { openCredential: async () => context.getCredentials }) // undefined
 */
export async function fence(
	client: ServiceClient,
	key: string,
	options: Deciding = {},
): Promise<Decided> {
	const { cancel } = client;
	const decided = askToFence(client, key, options);
	await untilDone(settle(decided), cancel);
	if (cancel?.aborted !== true) return await decided;
	// Nobody waits any more, so the service may take its time to start again.
	options.onStopped?.(decided.catch(async () => await askToFence(client, key, options, Infinity)));
	throw connectionFailure({ code: 'ERR_CANCELED' }, { cancel });
}
