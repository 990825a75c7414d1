import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../request/failure/service-error';
import type { ServiceClient } from '../request/http/service-client';
import { wallClockMs } from '../values/clock';
import { uniqueHashes } from '../values/hashes';
import { refuse } from '../values/invalid-input';
import { settle } from '../values/settle';
import { amountsOf, nameOf } from './budget';
import type { Sending } from './check-write';
import type { WriteResult } from './earlier-try';
import { keptResult } from './earlier-try';
import { noteOfTool } from './equal-calls';
import { recordedCall } from './identity';
import type { Attempt, SentUnderKey } from './kept-write';
import { submitKept } from './kept-write';
import { headersOf } from './ledger/labels';
import { assertNewest } from './ledger/process-ledger';
import { records, sentWrites, unknownCalls } from './memory/process-memory';
import type { CountedWrite } from './memory/sent-writes';
import type { WriteRecord } from './memory/write-records';
import { accountOf, assertSameService, pinCredential, RUN_AGAIN } from './pinned-credential';
import { assertAllowed, lookUpForPolicy } from './policy/policy';
import { asUnknown, submit } from './submit';
import { assertOwnHash } from './told-hashes';
import { triesOf } from './tries';
import { logNotDone, logSubmitted } from './write-log';

const OTHER_ACCOUNT =
	'The credential belongs to another account than when the write was first sent, whose wallet would pay as well';

type Sent = Pick<SentUnderKey, 'answer' | 'hashes'> & Partial<SentUnderKey>;

/** Forgets that the outcome of a call is unknown, unless the unknown one is another write. */
function noteDecided(callKey: string, key: string | undefined, isDone = true): void {
	const unknown = unknownCalls.get(callKey);
	if (unknown && (unknown.key === key || (isDone && !unknown.key))) unknownCalls.delete(callKey);
}

/** By what the service can decide a write. */
function decidableOf({ key: { first }, pinned }: Sending, key: string) {
	return { key, firstKey: first, account: accountOf(pinned) };
}

/** Keeps what is known of a write, for its later tries and for a Retry; without a record, it may be sent again. */
function keep(context: IExecuteSingleFunctions, sending: Sending, record?: WriteRecord): void {
	triesOf(context).record = record;
	// Equal calls of tools are found by what they are, and a service lists its own writes.
	if (sending.toolCall || sending.labels) return;
	const { place, input, key, call, nodeKey } = sending;
	const sent = { place, input, key: key.first, call: call.digest, equal: nodeKey };
	if (record === undefined) records.remove(place.scope, sent.key);
	else records.keep(sent, record);
}

/** Notes what is known of a write, for the limits and the account of its execution. */
function note(sending: Sending, state: CountedWrite['state'] | 'refused'): void {
	const { budget, place, pinned } = sending;
	const write = { node: place.node, account: accountOf(pinned), amounts: amountsOf(sending) };
	const isSent = state !== 'refused';
	sentWrites.note(budget, nameOf(sending), isSent ? { ...write, state } : undefined);
}

/** @param key under which the write was last sent, if the service keeps it */
function noteNotDone(
	context: IExecuteSingleFunctions,
	error: unknown,
	sending: Sending,
	{ key, mayArrive }: { readonly key: string | undefined; readonly mayArrive: boolean },
): void {
	const { call, callKey, before, isKept, execution } = sending;
	if (error instanceof ServiceError && !error.isRefused) {
		const { orderId } = sending.key;
		const decidable = key && { ...decidableOf(sending, key), isOrder: orderId !== undefined };
		const { nodeKey } = sending;
		const unknown = { reason: error.inOneSentence(), hashes: error.hashes, nodeKey, ...decidable };
		keep(context, sending, { state: 'unknown', call, execution, ...unknown });
		note(sending, 'unknown');
		unknownCalls.set(callKey, unknown);
		return;
	}
	// Without a decision of the service, an earlier request may still have been carried out.
	const isOpen = sentWrites.find(sending.budget, nameOf(sending))?.state === 'unknown';
	if (!isOpen || (isKept && mayArrive)) note(sending, 'refused');
	if (isKept) noteDecided(callKey, key, false);
	const isDecided = before?.state === 'unknown' && before.firstKey === sending.key.first;
	keep(context, sending, isDecided ? undefined : before);
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
	const { checked, spent, call, callKey, toolCall, before, unknownCall, execution } = sending;
	const { key, isKept, pinned, hasAsked, place, labels, retry } = sending;
	const { baseUrl } = pinned;
	const { orderId } = key;
	const reason = 'the run ended before an answer arrived';
	const earlierHashes = uniqueHashes([
		...(unknownCall?.hashes ?? []),
		...(before?.state === 'unknown' ? before.hashes : []),
	]);
	let keptUnder: string | undefined;
	const noteSending = (name?: string) => {
		// A Retry may have taken the last key out of use.
		if (!labels && !toolCall) assertNewest(place, retry?.attempt);
		keptUnder = name;
		retry?.used.add(name ?? key.first);
		const decidable = name && decidableOf(sending, name);
		const unknown = { reason, hashes: earlierHashes, ...decidable };
		keep(context, sending, { state: 'unknown', call, execution, ...unknown });
	};
	noteSending();
	note(sending, 'begun');
	// The time before sending: searches for the transaction start here, and its block may precede the answer.
	const submittedAt = new Date(wallClockMs()).toISOString();
	let userId: string | undefined;
	let isFirst = true;
	const openCredential = async () => {
		const now = isFirst && !hasAsked ? pinned : await pinCredential(context);
		const { credential, getCredentials } = now;
		if (!isFirst && now.key !== pinned.key) refuse(undefined, OTHER_ACCOUNT, RUN_AGAIN);
		if (isFirst && hasAsked) assertAllowed(credential, checked, spent, sending.facts);
		else if (!isFirst) {
			// The wait for a later attempt can be long.
			const lookUps = () => sending.lookUps(getCredentials);
			sending.facts = await lookUpForPolicy(credential, checked, spent, lookUps);
		}
		isFirst = false;
		assertSameService(now.baseUrl, baseUrl);
		({ userId } = now);
		// Amounts and balance belong to the wallet of one user.
		const { sender = userId } = checked;
		const message = `The credential no longer belongs to ${sender}, for whom the write was prepared`;
		if (userId !== sender) refuse(undefined, message, RUN_AGAIN);
		return getCredentials;
	};
	let isStopped = false;
	const onStopped: Attempt['onStopped'] = (deciding) => {
		isStopped = true;
		void settle(deciding).then((decided) => {
			if (decided.status === 'rejected') logNotDone(context, call, asUnknown(decided.reason));
			else if (decided.value) logSubmitted(context, call, [decided.value.answer.hash]);
		});
	};
	const isOwn = before?.state === 'unknown' || unknownCall?.firstKey === key.first;
	const mayArrive = isOwn || sending.isRetry;
	const isOrder = orderId !== undefined;
	const headers = labels ? headersOf(labels, call.digest, retry?.attempt) : {};
	const attempt = { call: checked.call, headers, isOrder, mayArrive, openCredential, onStopped };
	const sendingNow: Promise<Sent> = isKept
		? submitKept(client, key, attempt, noteSending)
		: submit(client, checked.call, key.first, openCredential, earlierHashes);
	const fn = checked.contractFunction;
	const recordedOf = ({ answer, isOtherCall, isReplayed = false }: Sent) => {
		// A recorded answer proves itself; some services leave the call out.
		const recorded = isKept || isReplayed ? recordedCall(baseUrl, answer.tx, fn) : call;
		return recorded.digest === '' && isOtherCall !== true ? call : recorded;
	};
	const result = await settle(
		sendingNow.then((sent) => {
			assertOwnHash(baseUrl, sent.answer.hash, recordedOf(sent).digest);
			return sent;
		}),
	);
	if (result.status === 'fulfilled') {
		const { answer, hashes, isReplayed, mayBeSent } = result.value;
		const others = uniqueHashes([...earlierHashes, ...hashes]).filter(
			(hash) => hash.toLowerCase() !== answer.hash.toLowerCase(),
		);
		noteDecided(callKey, keptUnder);
		const recorded = recordedOf(result.value);
		const isOther = recorded.digest !== call.digest;
		const isConflict = isOther && !isOwn && !sending.isRetry;
		if (isReplayed || isOther) {
			if (isOther || !mayBeSent) sentWrites.noteOfOther(sending.budget, nameOf(sending));
			else {
				note(sending, 'done');
				logSubmitted(context, call, [answer.hash, ...hashes]);
			}
			const planned = { status: 'fulfilled', value: checked } as const;
			const kept = await keptResult(context, planned, result.value);
			const replayOf = isOther ? recorded : call;
			// Another attempt at this place must not pay another order; an order that others have paid leaves it free.
			const isOwnWrite = !isConflict && (orderId === undefined || (mayBeSent && !isOther));
			const record = { ...kept, state: 'answered', call: replayOf } as const;
			keep(context, sending, isOwnWrite ? record : undefined);
			if (toolCall && orderId === undefined && !isOther)
				noteOfTool(sending, toolCall, { ...kept, state: 'answered', call });
			if (isConflict) note(sending, 'refused');
			return {
				...kept,
				orderId,
				replayOf,
				earlierHashes: others,
				...(isConflict && { conflict: 'key' as const }),
			};
		}
		note(sending, 'done');
		const done = { answer, submittedAt, execution, userId, earlierHashes: others };
		keep(context, sending, { state: 'answered', call, ...done });
		if (toolCall && orderId === undefined)
			noteOfTool(sending, toolCall, { state: 'answered', call, ...done });
		logSubmitted(context, call, [answer.hash, ...hashes]);
		return done;
	}
	const error: unknown = result.reason;
	noteNotDone(context, error, sending, { key: keptUnder, mayArrive });
	if (!isStopped) logNotDone(context, call, error);
	throw error;
}
