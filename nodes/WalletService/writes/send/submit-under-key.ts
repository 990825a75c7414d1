import type { ContractCall } from '../../contract/call';
import type { GetCredentials } from '../../request/credential/shared-credential';
import { ServiceError } from '../../request/failure/service-error';
import type { Received } from '../../request/http/answer';
import { keyedUrl } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { monotonicMs } from '../../values/clock';
import { uniqueHashes } from '../../values/hashes';
import { isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import type { WriteKey } from '../key';
import { ORDER_CONFLICT } from '../key';
import type { Deciding, FoundUnderKey } from './state-of-key';
import {
	fence,
	isOlder,
	isRepeat,
	isUsedUp,
	MAX_ORDINAL,
	OF_OTHERS,
	recordOf,
	USED_UP,
} from './state-of-key';
import { asUnknown, readSubmitted, unproven, withWarning } from './submit';

/** A write after its attempts under a key. */
export interface SentUnderKey extends FoundUnderKey {
	/** Transaction hashes in other answers. */
	readonly hashes: readonly string[];
	/** Whether one of the attempts may have submitted it. */
	readonly mayBeSent: boolean;
	/** Whether the key was refused because another call has it. */
	readonly isOtherCall: boolean;
}

const WITHDRAWN =
	'Nothing was sent: the service has confirmed that this write will never be carried out';

/** Whether the service says that another call has the key; the status alone may be of a proxy. */
const isReused = ({ response, value }: Received): boolean =>
	response.statusCode === 422 && isItem(value) && value.code === 'write_key_reused';

/** Whether something else has refused the request, or its answer: a proxy's page, or an empty body. */
function isForeign({ response, value }: Received): boolean {
	const { statusCode, isOfProxy = false } = response;
	return statusCode >= 400 && statusCode < 500 && !isItem(value) && !isOfProxy;
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
export interface Attempt {
	readonly call: ContractCall;
	readonly headers: Readonly<Record<string, string>>;
	readonly isOrder: boolean;
	/** Whether an earlier attempt with the same key may still arrive: only the end of the key then proves a refusal. */
	readonly mayArrive: boolean;
	/** Opens the credential of an attempt; called before each one. */
	readonly openCredential: () => Promise<GetCredentials>;
	/** See {@link Deciding}. */
	readonly onStopped: Deciding['onStopped'];
}

/** Submits a write under one key, and decides its outcome. */
async function submitUnder(
	client: ServiceClient,
	key: string,
	{ call, headers, isOrder, mayArrive, openCredential, onStopped }: Attempt,
) {
	const startedAt = isOrder || mayArrive ? OF_OTHERS : monotonicMs();
	let mayBeSent = false;
	let isOtherCall = false;
	let hashes: readonly string[] = [];
	let credentials: GetCredentials | undefined;
	const note = (failure: ServiceError) => {
		mayBeSent ||= !failure.isRefused;
		hashes = uniqueHashes([...hashes, ...failure.hashes]);
	};
	const sending = client.send(
		{ method: 'PUT', url: keyedUrl(key), headers, body: JSON.stringify(call) },
		{
			isRepeatable: true,
			onPause: note,
			openCredential: async () => (credentials = await openCredential()),
			read: (received) => {
				if (isUsedUp(received)) return USED_UP;
				mayBeSent ||= isForeign(received) && !mayArrive;
				isOtherCall = isReused(received);
				// An earlier attempt for this item may have sent the other call.
				const isConflict = isOrder && !mayArrive;
				const ofOrder = isConflict
					? ({ code: 'order-conflict', hint: ORDER_CONFLICT } as const)
					: {};
				if (isOtherCall) throw unproven(received).with({ state: 'refused', ...ofOrder });
				const answer = readSubmitted(received);
				// After an attempt of unknown outcome, the recorded write may be that attempt's.
				const isOther = !mayBeSent || isOlder(answer, received, startedAt);
				const isRecorded = isRepeat(received) || answer.submittedAt !== undefined;
				return { ...recordOf(answer, received), isReplayed: isRecorded && isOther };
			},
		},
	);
	const result = await settle(sending);
	if (result.status === 'fulfilled') return { found: result.value, mayBeSent, isOtherCall, hashes };
	const failure = withWarning(result.reason);
	if (failure instanceof ServiceError) note(failure);
	const isOpen = mayArrive || (mayBeSent && !isOtherCall);
	if (!isOpen && !isOtherCall) throw failure;
	const open = credentials;
	// Without the credential of an attempt, another service could be asked.
	const decided =
		open &&
		(await settle(fence(client, key, { openCredential: async () => open, startedAt, onStopped })));
	if (decided?.status === 'fulfilled') {
		const { value } = decided;
		if (value === undefined) throw withdrawn(failure, hashes);
		const found = { ...value, isReplayed: !mayBeSent || value.isReplayed };
		return { found, mayBeSent, isOtherCall, hashes };
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
 * const attempt = { call, headers: {}, isOrder: false, mayArrive: false, openCredential: async () => context.getCredentials };
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
