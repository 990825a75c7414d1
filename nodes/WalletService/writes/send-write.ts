import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import type { GetCredentials } from '../request/credential/shared-credential';
import { ServiceError } from '../request/failure/service-error';
import type { ServiceClient } from '../request/http/service-client';
import type { Ahead, Run } from '../request/run/run';
import { executionIdOf } from '../request/run/tool-call';
import { wallClockMs } from '../values/clock';
import { uniqueHashes } from '../values/hashes';
import { refuse } from '../values/invalid-input';
import { settle } from '../values/settle';
import type { WriteResult } from './earlier-try';
import { blockedCall, earlierResult } from './earlier-try';
import type { CanonicalCall, Origin } from './identity';
import { canonicalCall, originOf, repeatWindowMs } from './identity';
import { queue, records, spentValue, unknownCalls } from './memory/process-memory';
import type { UnknownCall, WriteRecord } from './memory/write-records';
import type { PinnedCredential } from './pinned-credential';
import { pinCredential } from './pinned-credential';
import type { Spent } from './policy/policy';
import { assertAllowed, lookUpForPolicy } from './policy/policy';
import type { PolicyFacts, PolicyLookUps } from './policy/policy-facts';
import { submit } from './submit';
import { logNotDone, logSubmitted } from './write-log';

type LookUpsWith = (getCredentials: GetCredentials) => PolicyLookUps;

/** A write whose turn has come, with everything needed to send it. */
interface Sending extends Origin {
	readonly checked: CheckedCall;
	/** Amounts sent before this write. */
	readonly spent: Spent;
	/** Facts looked up for the policy, at first before the first attempt. */
	facts: PolicyFacts;
	readonly lookUps: LookUpsWith;
	readonly call: CanonicalCall;
	/** The base URL of the service. */
	readonly baseUrl: string;
	/** The key of the call in `unknownCalls`. */
	readonly callKey: string;
	/** The key of the call among the submissions of its node. */
	readonly nodeKey: string;
	/** The same call from an earlier write, if its outcome is unknown. */
	readonly unknownCall: UnknownCall | undefined;
	/** The record of an earlier attempt at the same place, if it may be repeated. */
	readonly before: WriteRecord | undefined;
}

const RUN_AGAIN = 'Nothing was sent. Run the node again';

/** Checks that the base URL of the credential has not changed since the write was checked. */
function assertSameService(now: string, before: string): void {
	const message = 'The base URL of the credential changed while the write was being prepared';
	if (now !== before) refuse('Base URL', message, RUN_AGAIN);
}

/** Checks that no other user has signed in: the amounts, balance and description of a call belong to one wallet. */
function assertSameSender(now: string | undefined, before: string | undefined): void {
	if (before === undefined || now === before) return;
	const message = `The credential no longer belongs to ${before}, for whom the write was prepared`;
	refuse(undefined, message, RUN_AGAIN);
}

/** The key of the token that a call moves, or else of the called contract. */
const tokenKey = (credential: string, checked: CheckedCall) =>
	`${credential} ${(checked.move?.token ?? checked.call.address).toLowerCase()}`;

/** Returns the amounts sent before with the credential: by the execution, and ahead in a list that is checked. */
function spentBefore(origin: Origin, checked: CheckedCall, ahead?: Ahead): Spent {
	const { budget, credentialKey } = origin;
	const all = [budget, ahead ?? {}].map((scope) => spentValue.of(scope));
	const sum = (key: string) => all.reduce((total, spent) => total + (spent.get(key) ?? 0n), 0n);
	return { value: sum(credentialKey), tokens: sum(tokenKey(credentialKey, checked)) };
}

/** Counts the amounts of a write. @param sign -1 to subtract them again if the write was refused */
function count({ budget, credentialKey, checked, facts }: Sending, sign = 1n): void {
	const { value = 0 } = checked.call;
	spentValue.add(budget, [
		[credentialKey, sign * BigInt(value)],
		[tokenKey(credentialKey, checked), sign * (facts.tokens ?? 0n)],
	]);
}

function noteNotDone(error: unknown, sending: Sending): void {
	const { place, call, callKey, before } = sending;
	if (error instanceof ServiceError && !error.isRefused) {
		const unknown = { reason: error.inOneSentence(), hashes: error.hashes };
		records.keep(place, { state: 'unknown', call, ...unknown });
		unknownCalls.set(callKey, unknown);
		return;
	}
	if (before === undefined) records.remove(place);
	else records.keep(place, before);
	count(sending, -1n);
}

/**
 * @param pinned the credential for the first attempt; absent if it must be read again, because look-ups were made after
 * it was read
 */
async function sendAndRecord(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	sending: Sending,
	pinned?: PinnedCredential,
): Promise<WriteResult> {
	const { place, checked, spent, call, callKey, nodeKey, before, unknownCall, baseUrl } = sending;
	const reason = 'the run ended before an answer arrived';
	const earlierHashes = uniqueHashes([
		...(unknownCall?.hashes ?? []),
		...(before?.state === 'unknown' ? before.hashes : []),
	]);
	records.keep(place, { state: 'unknown', call, reason, hashes: earlierHashes });
	// The time before sending: searches for the transaction start here, and its block may precede the answer.
	const submittedAt = new Date(wallClockMs()).toISOString();
	count(sending);
	let userId: string | undefined;
	let isFirst = true;
	const openCredential = async () => {
		const now = (isFirst ? pinned : undefined) ?? (await pinCredential(context));
		const { credential, getCredentials } = now;
		if (isFirst) assertAllowed(credential, checked, spent, sending.facts);
		else {
			// The wait for a later attempt can be long.
			const lookUps = () => sending.lookUps(getCredentials);
			const facts = await lookUpForPolicy(credential, checked, spent, lookUps);
			count(sending, -1n);
			sending.facts = facts;
			count(sending);
		}
		isFirst = false;
		assertSameService(now.baseUrl, baseUrl);
		({ userId } = now);
		assertSameSender(userId, checked.sender);
		return getCredentials;
	};
	const result = await settle(submit(client, checked.call, openCredential, earlierHashes));
	if (result.status === 'fulfilled') {
		const { answer, hashes } = result.value;
		const done = { answer, submittedAt, execution: executionIdOf(context), userId, earlierHashes };
		records.keep(place, { state: 'answered', call, ...done }, nodeKey);
		unknownCalls.delete(callKey);
		logSubmitted(context, call, [answer.hash, ...hashes]);
		return done;
	}
	const error: unknown = result.reason;
	noteNotDone(error, sending);
	logNotDone(context, call, error);
	throw error;
}

export interface WriteToSend<Call extends CheckedCall> {
	/** The checked call of an item, or the error that prevented it. */
	readonly planned: PromiseSettledResult<Call>;
	/** Whether to send the write even if an equal one may have succeeded, or counts as this one. */
	readonly sendsAgain: boolean;
	/** The look-ups of the policy, made with the credential that contains it. */
	readonly lookUps: LookUpsWith;
	/** Last check before sending, after earlier attempts and the policy have been consulted. @throws InvalidInputError */
	readonly assertPossible?: (call: Call, client: ServiceClient, ahead?: Ahead) => Promise<void>;
}

/** @param ahead present if the write is only checked, as part of a list */
async function sendInTurn<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	origin: Origin,
	{ planned, sendsAgain, lookUps, assertPossible }: WriteToSend<Call>,
	ahead?: Ahead,
): Promise<WriteResult | undefined> {
	const before = records.find(origin.place);
	const isOther = before?.state === 'unknown' || before?.execution !== executionIdOf(context);
	if (before !== undefined && !(sendsAgain && isOther))
		return await earlierResult(context, planned, before);
	if (planned.status === 'rejected') throw planned.reason;
	const checked = planned.value;
	const pinned = await pinCredential(context);
	const { baseUrl, credential, getCredentials } = pinned;
	assertSameService(baseUrl, checked.preparedFor ?? baseUrl);
	const call = canonicalCall(baseUrl, checked);
	const callKey = JSON.stringify([origin.credentialKey, call.digest]);
	const nodeKey = JSON.stringify([callKey, context.getWorkflow().id, context.getNode().name]);
	const withinMs = sendsAgain ? 0 : repeatWindowMs(context);
	const skip = ahead && Number(spentValue.of(ahead).get(nodeKey) ?? 0n);
	const equal = records.findEqual(nodeKey, executionIdOf(context) ?? '', withinMs, skip);
	if (equal !== undefined) {
		if (ahead === undefined) records.keep(origin.place, equal);
		else spentValue.add(ahead, [[nodeKey, 1n]]);
		return await earlierResult(context, planned, equal);
	}
	const unknownCall = unknownCalls.get(callKey);
	if (unknownCall !== undefined && !sendsAgain) throw blockedCall(unknownCall);
	const spent = spentBefore(origin, checked, ahead);
	const facts = await lookUpForPolicy(credential, checked, spent, () => lookUps(getCredentials));
	const known = { before, unknownCall, spent, facts, lookUps };
	const sending = { ...origin, ...known, checked, call, baseUrl, callKey, nodeKey };
	const { wallets, tokens, takesBack = false } = facts;
	const hasLookedUp = takesBack || wallets.size > 0 || tokens !== undefined;
	const hasAsked = assertPossible !== undefined || hasLookedUp;
	// The policy is checked first, so that a forbidden write causes no look-ups.
	await assertPossible?.(checked, client, ahead);
	if (ahead !== undefined) {
		count({ ...sending, budget: ahead });
		return undefined;
	}
	return await sendAndRecord(context, client, sending, hasAsked ? undefined : pinned);
}

/**
 * Sends one write after the earlier writes of its credential, and records its outcome. An earlier attempt at its place
 * provides the answer or blocks it; an identical call of unknown outcome, from any place, blocks it; the policy must
 * allow it.
 *
 * @returns `undefined` if the run only checks its items, and the write would be sent
 * @throws InvalidInputError if the policy refuses it, ServiceError with its outcome unless it was submitted.
 * @example await sendWrite(context, run, client, { planned, sendsAgain, lookUps }) // { answer: { status: 'SUCCESS', hash: '0x…' }, … }
 */
export async function sendWrite<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	run: Run,
	client: ServiceClient,
	write: WriteToSend<Call>,
): Promise<WriteResult | undefined> {
	const origin = originOf(context);
	if (run.ahead) return await sendInTurn(context, client, origin, write, run.ahead);
	return await queue.run(origin.credentialKey, client.cancel, async () => {
		run.throwIfStopped(client.cancel);
		return await sendInTurn(context, client, origin, write);
	});
}
