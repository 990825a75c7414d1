import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { ServiceClient } from '../../request/http/service-client';
import { wallClockMs } from '../../values/clock';
import { uniqueHashes } from '../../values/hashes';
import { refuse } from '../../values/invalid-input';
import { settle } from '../../values/settle';
import type { Sending } from '../check/check-write';
import type { WriteResult } from '../result';
import { keptResult } from '../result';
import type { CanonicalCall } from '../canonical-call';
import { recordedCall } from '../canonical-call';
import type { Attempt, SentUnderKey } from './submit-under-key';
import { submitKept } from './submit-under-key';
import { headersOf } from '../ledger/labels';
import { assertNewest } from '../ledger/process-ledger';
import { countReplay, noteBegun, noteDone, noteNotDone, noteReplay } from './note-outcome';
import { assertSameService, pinCredential, RUN_AGAIN } from '../pinned-credential';
import { assertAllowed, lookUpForPolicy } from '../policy/policy';
import { asUnknown, submit } from './submit';
import { assertOwnHash } from './told-hashes';
import { logNotDone, logSubmitted } from '../log';

const OTHER_ACCOUNT =
	'The credential belongs to another account than when the write was first sent, whose wallet would pay as well';

type Sent = Pick<SentUnderKey, 'answer' | 'hashes'> & Partial<SentUnderKey>;

/**
 * Opens the credential of each attempt. Look-ups, and the wait for a later attempt, take time in which it may have changed:
 * then its limits are judged again.
 *
 * @param onOpened called with the ID of its user
 */
function openerOf(
	context: IExecuteSingleFunctions,
	sending: Sending,
	onOpened: (userId: string | undefined) => void,
): Attempt['openCredential'] {
	const { checked, spent, pinned, hasAsked } = sending;
	let isFirst = true;
	return async () => {
		const now = isFirst && !hasAsked ? pinned : await pinCredential(context);
		const { credential, getCredentials, userId } = now;
		if (!isFirst && now.key !== pinned.key) refuse(undefined, OTHER_ACCOUNT, RUN_AGAIN);
		if (isFirst && hasAsked) assertAllowed(credential, checked, spent, sending.facts);
		else if (!isFirst) {
			const lookUps = () => sending.lookUps(getCredentials);
			sending.facts = await lookUpForPolicy(credential, checked, spent, lookUps);
		}
		isFirst = false;
		assertSameService(now.baseUrl, pinned.baseUrl);
		onOpened(userId);
		// Amounts and balance belong to the wallet of one user.
		const { sender = userId } = checked;
		const message = `The credential no longer belongs to ${sender}, for whom the write was prepared`;
		if (userId !== sender) refuse(undefined, message, RUN_AGAIN);
		return getCredentials;
	};
}

/** Hashes that an earlier try, or an equal call, of unknown outcome has named. */
const earlierHashesOf = ({ before, unknownCall }: Sending): readonly string[] =>
	uniqueHashes([
		...(unknownCall?.hashes ?? []),
		...(before?.state === 'unknown' ? before.hashes : []),
	]);

/** The call that was answered: a recorded answer proves itself; some services leave the call out. */
function answeredCall(sending: Sending, sent: Sent): CanonicalCall {
	const { call, checked, isKept, pinned } = sending;
	const { answer, isOtherCall, isReplayed = false } = sent;
	if (!isKept && !isReplayed) return call;
	const recorded = recordedCall(pinned.baseUrl, answer.tx, checked.contractFunction);
	return recorded.digest === '' && isOtherCall !== true ? call : recorded;
}

/**
 * Sends a checked write, and records its outcome and what it moves.
 *
 * @throws ServiceError with its outcome unless it was submitted; InvalidInputError if the credential now forbids it
 * @example await sendAndRecord(context, client, sending) // { answer: { status: 'SUCCESS', hash: '0x…' }, … }
 */
export async function sendAndRecord(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	sending: Sending,
): Promise<WriteResult> {
	const { checked, call, key, isKept, pinned, labels, retry, toolCall, execution } = sending;
	const { before, unknownCall } = sending;
	const { baseUrl } = pinned;
	const earlierHashes = earlierHashesOf(sending);
	let keptUnder: string | undefined;
	const onKey = (name?: string) => {
		// A Retry may have taken the last key out of use.
		if (!labels && !toolCall) assertNewest(sending.place, retry?.attempt);
		keptUnder = name;
		retry?.used.add(name ?? key.first);
		noteBegun(context, sending, earlierHashes, name);
	};
	onKey();
	// The time before sending: searches for the transaction start here, and its block may precede the answer.
	const submittedAt = new Date(wallClockMs()).toISOString();
	let userId: string | undefined;
	const openCredential = openerOf(context, sending, (user) => (userId = user));
	let isStopped = false;
	const onStopped: Attempt['onStopped'] = (deciding) => {
		isStopped = true;
		void settle(deciding).then((decided) => {
			if (decided.status === 'rejected') logNotDone(context, call, asUnknown(decided.reason));
			else if (decided.value) logSubmitted(context, call, [decided.value.answer.hash]);
		});
	};
	const isOwnKey = before?.state === 'unknown' || unknownCall?.firstKey === key.first;
	const mayArrive = isOwnKey || sending.isRetry;
	const isOrder = key.orderId !== undefined;
	const headers = labels ? headersOf(labels, call.digest, retry?.attempt) : {};
	const attempt = { call: checked.call, headers, isOrder, mayArrive, openCredential, onStopped };
	const sendingNow: Promise<Sent> = isKept
		? submitKept(client, key, attempt, onKey)
		: submit(client, checked.call, key.first, openCredential, earlierHashes);
	const result = await settle(
		sendingNow.then((sent) => {
			const answered = answeredCall(sending, sent);
			assertOwnHash(baseUrl, sent.answer.hash, answered.digest);
			return { ...sent, answered };
		}),
	);
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		noteNotDone(context, sending, error, { key: keptUnder, mayArrive });
		if (!isStopped) logNotDone(context, call, error);
		throw error;
	}
	const { answer, answered, hashes, isReplayed, mayBeSent = false } = result.value;
	const others = uniqueHashes([...earlierHashes, ...hashes]).filter(
		(hash) => hash.toLowerCase() !== answer.hash.toLowerCase(),
	);
	const isOther = answered.digest !== call.digest;
	if (isReplayed !== true && !isOther) {
		const done = { answer, submittedAt, execution, userId, earlierHashes: others };
		noteDone(context, sending, done, keptUnder);
		logSubmitted(context, call, [answer.hash, ...hashes]);
		return done;
	}
	const isOwn = mayBeSent && !isOther;
	if (isOwn) logSubmitted(context, call, [answer.hash, ...hashes]);
	const isConflict = isOther && !mayArrive;
	countReplay(sending, { isConflict, isOwn }, keptUnder);
	const planned = { status: 'fulfilled', value: checked } as const;
	const kept = await keptResult(context, planned, result.value);
	const replayOf = isOther ? answered : call;
	noteReplay(context, sending, { done: kept, call: replayOf, isConflict, isOwn });
	return {
		...kept,
		orderId: key.orderId,
		replayOf,
		earlierHashes: others,
		...(isConflict && { conflict: 'key' as const }),
	};
}
