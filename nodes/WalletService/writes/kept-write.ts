import type { IDataObject } from 'n8n-workflow';

import type { ContractCall } from '../contract/call';
import type { GetCredentials } from '../request/credential/shared-credential';
import { ServiceError } from '../request/failure/service-error';
import type { Received } from '../request/http/answer';
import { isStatus } from '../request/http/answer';
import { keyedUrl } from '../request/http/routes';
import type { ServiceClient } from '../request/http/service-client';
import { monotonicMs, SECOND_MS } from '../values/clock';
import { hashesIn, isHash, uniqueHashes } from '../values/hashes';
import { isItem } from '../values/objects';
import { settle } from '../values/settle';
import type { WriteKey } from './identity';
import type { SubmittedAnswer } from './outcome';
import { asUnknown, readSubmitted, unproven, withWarning } from './submit';

/** A write after its attempts under a key. */
export interface SentUnderKey {
	readonly answer: SubmittedAnswer;
	/** Whether an earlier request submitted it. */
	readonly isReplayed: boolean;
	/** Transaction hashes in other answers. */
	readonly hashes: readonly string[];
	/** Whether one of the attempts may have submitted it. */
	readonly mayBeSent: boolean;
	/** Whether it was found without comparing its call. */
	readonly isFenced: boolean;
	/** Whether the key was refused because another call has it. */
	readonly isOtherCall: boolean;
}

/** No write will ever take place under the key: it was taken out of use, or its transaction has certainly ended without effect. */
const USED_UP = 'used up' as const;

/** Writes that were taken out of use at one place or for one order; a service that reports more is not believed. */
const MAX_ORDINAL = 1000;
/** Time to find out what became of a write after its run was stopped, or all its attempts. */
const DECIDING_MS = 30 * SECOND_MS;

const WITHDRAWN =
	'Nothing was sent: the service has confirmed that this write will never be carried out';

const isRepeat = ({ response }: Received): boolean =>
	response.headers['idempotency-replayed'] === 'true';

/** Whether the service says that no write will ever take place under a key; a proxy, or a failure of this request, does not. */
function isUsedUp(received: Received): boolean {
	const { response, text, value } = received;
	const { status } = isItem(value) ? value : {};
	if (response.statusCode === 200 && status === 'VOID') return true;
	const isOfKey =
		response.statusCode === 410 || (response.statusCode === 200 && isRepeat(received));
	return isOfKey && isStatus(status, 'FAILED') && hashesIn(text).length === 0;
}

/** Whether the service says that another call has the key; the status alone may be of a proxy. */
const isReused = ({ response, value }: Received): boolean =>
	response.statusCode === 422 && isItem(value) && value.code === 'write_key_reused';

/** Start of the attempts for an order: any request may have submitted it, so its record always counts as an older one. */
const OF_ORDER = Number.POSITIVE_INFINITY;

/** Whether a record is older than a request of this node, or of unknown age, by the clock of the service. */
function isOlder(answer: IDataObject, { response }: Received, startedAt: number): boolean {
	if (startedAt === OF_ORDER) return true;
	const age = Date.parse(String(response.headers.date)) - Date.parse(String(answer.submittedAt));
	// The header has no fractions of a second.
	return !(age <= monotonicMs() - startedAt + 2 * SECOND_MS);
}

/** Reads the answer to a request about a key; `undefined` if the service has no write under it. @throws ServiceError */
function readKept(received: Received): SubmittedAnswer | typeof USED_UP | undefined {
	const { statusCode } = received.response;
	if (isUsedUp(received)) return USED_UP;
	const answer = isItem(received.value) ? received.value : undefined;
	const isRecord = statusCode >= 200 && statusCode < 300 && !isStatus(answer?.status, 'FAILED');
	if (isRecord && isHash(answer?.hash)) return { ...answer, hash: answer.hash };
	if (statusCode === 404 && answer !== undefined) return undefined;
	throw unproven(received);
}

/**
 * Finds the write that the service has recorded under a key.
 *
 * @param mayArrive whether to take a free key out of use, because a request that is still on its way may use it
 * @returns `undefined` if there is none, or none that can still take place
 * @throws ServiceError if the service cannot be asked.
 * @example await findKept(client, writeKey(context, place)) // { hash: '0x…', … }
 */
export async function findKept(
	client: ServiceClient,
	key: WriteKey,
	mayArrive = false,
): Promise<SubmittedAnswer | undefined> {
	for (let ordinal = 0; ordinal < MAX_ORDINAL; ordinal++) {
		const request = { method: 'GET', url: keyedUrl(key.at(ordinal)) } as const;
		const found = await client.send(request, { read: readKept });
		if (found === undefined && mayArrive) return (await fence(client, key.at(ordinal)))?.answer;
		if (found !== USED_UP) return found;
	}
	return undefined;
}

/**
 * Decides a write of unknown outcome: takes its key out of use, unless the service has recorded it.
 *
 * @returns the recorded write; `undefined` if it certainly never takes place
 * @throws ServiceError if the service cannot be asked.
 * @example await fence(client, key, async () => context.getCredentials) // undefined
 */
export async function fence(
	client: ServiceClient,
	key: string,
	openCredential?: () => Promise<GetCredentials>,
	startedAt = OF_ORDER,
): Promise<Pick<SentUnderKey, 'answer' | 'isReplayed'> | undefined> {
	const found = await client.evenIfStopped(monotonicMs() + DECIDING_MS).send(
		{ method: 'DELETE', url: keyedUrl(key) },
		{
			openCredential,
			isRepeatable: true,
			read: (received) => {
				const answer = readKept(received);
				if (answer === USED_UP) return answer;
				if (answer === undefined) throw unproven(received);
				return { answer, isReplayed: isOlder(answer, received, startedAt) };
			},
		},
	);
	return found === USED_UP ? undefined : found;
}

/** The failure of a write that was decided: nothing was sent, and nothing will be. */
function withdrawn(failure: unknown, hashes: readonly string[]): unknown {
	if (!(failure instanceof ServiceError)) return failure;
	return failure.with({ state: 'refused', warning: WITHDRAWN, earlierHashes: hashes });
}

function notSent(message: string, earlierHashes: readonly string[] = []): ServiceError {
	const hint = 'Run the node again; if this persists, ask the operator of the service';
	return new ServiceError({ message, hint, code: 'not-sent', state: 'refused', earlierHashes });
}

/** The attempts to submit a write. */
interface Attempt {
	readonly call: ContractCall;
	readonly isOrder: boolean;
	/** Whether an earlier attempt with the same key may still arrive: only the end of the key then proves a refusal. */
	readonly mayArrive: boolean;
	/** Opens the credential of an attempt; called before each one. */
	readonly openCredential: () => Promise<GetCredentials>;
}

/** Submits a write under one key, and decides its outcome. */
async function submitUnder(
	client: ServiceClient,
	key: string,
	{ call, isOrder, mayArrive, openCredential }: Attempt,
) {
	const startedAt = isOrder ? OF_ORDER : monotonicMs();
	let mayBeSent = false;
	let isOtherCall = false;
	let hashes: readonly string[] = [];
	let credentials: GetCredentials | undefined;
	const note = (failure: ServiceError) => {
		mayBeSent ||= !failure.isRefused;
		hashes = uniqueHashes([...hashes, ...failure.hashes]);
	};
	const sending = client.send(
		{ method: 'PUT', url: keyedUrl(key), body: JSON.stringify(call) },
		{
			isRepeatable: true,
			onPause: note,
			openCredential: async () => (credentials = await openCredential()),
			read: (received) => {
				if (isUsedUp(received)) return USED_UP;
				isOtherCall = isReused(received);
				if (isOtherCall) throw unproven(received).with({ state: 'refused' });
				const answer = readSubmitted(received);
				// After an attempt of unknown outcome, the recorded write may be that attempt's.
				const isOther = !mayBeSent || isOlder(answer, received, startedAt);
				const isRecorded = isRepeat(received) || answer.submittedAt !== undefined;
				return { answer, isReplayed: isRecorded && isOther };
			},
		},
	);
	const result = await settle(sending);
	if (result.status === 'fulfilled')
		return { found: result.value, mayBeSent, isFenced: false, isOtherCall, hashes };
	const failure = withWarning(result.reason);
	if (failure instanceof ServiceError) note(failure);
	const isOpen = mayArrive || (mayBeSent && !isOtherCall);
	if (!isOpen && !isOtherCall) throw failure;
	const open = credentials;
	// Without the credential of an attempt, another service could be asked.
	const decided = open && (await settle(fence(client, key, async () => open, startedAt)));
	if (decided?.status === 'fulfilled') {
		const { value } = decided;
		if (value === undefined) throw withdrawn(failure, hashes);
		const found = { ...value, isReplayed: !mayBeSent || value.isReplayed };
		return { found, mayBeSent, isFenced: true, isOtherCall, hashes };
	}
	if (decided?.reason instanceof ServiceError) note(decided.reason);
	const last = isOpen ? asUnknown(failure) : failure;
	throw last instanceof ServiceError ? last.with({ earlierHashes: hashes }) : last;
}

/**
 * Submits one transaction to a service that keeps each write under its key. An attempt of unknown outcome is repeated
 * under the same key, which cannot send twice; at the end, the key is taken out of use unless the service has recorded the
 * write. The outcome stays unknown only if the service cannot be asked.
 *
 * @param onKey called with each key that is tried
 * @returns the recorded write and the hashes in other answers; see {@link SentUnderKey}
 * @throws ServiceError with its `state`; InvalidInputError if the credential cannot be used.
 * @example
 * const attempt = { call, isOrder: false, mayArrive: false, openCredential: async () => context.getCredentials };
 * (await submitKept(client, key, attempt, () => {})).answer.hash // '0x…'
 */
export async function submitKept(
	client: ServiceClient,
	key: WriteKey,
	attempt: Attempt,
	onKey: (key: string) => void,
): Promise<SentUnderKey> {
	for (let ordinal = 0; ordinal < MAX_ORDINAL; ordinal++) {
		const name = key.at(ordinal);
		onKey(name);
		const { found, ...more } = await submitUnder(client, name, attempt);
		if (found !== USED_UP) return { ...found, ...more };
		if (more.mayBeSent)
			throw notSent('The write was taken out of use while it was being sent', more.hashes);
	}
	throw notSent('The service takes every key of this write out of use');
}
