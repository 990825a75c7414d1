import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { tokenMove } from '../contract/token-moves';
import type { GetCredentials } from '../request/credential/shared-credential';
import type { ServiceClient } from '../request/http/service-client';
import { executionIdOf } from '../request/run/tool-call';
import { refuse } from '../values/invalid-input';
import type { WriteResult } from './earlier-try';
import { blockedCall, earlierResult } from './earlier-try';
import type { CanonicalCall, Origin } from './identity';
import { canonicalCall } from './identity';
import { records, spentValue, submissions, unknownCalls } from './memory/process-memory';
import type { AnsweredWrite, UnknownCall, WriteRecord } from './memory/write-records';
import type { PinnedCredential } from './pinned-credential';
import { pinCredential } from './pinned-credential';
import type { Spent } from './policy/policy';
import { lookUpForPolicy } from './policy/policy';
import type { PolicyFacts, PolicyLookUps } from './policy/policy-facts';
import { repeatWindowMs } from './retried-execution';

type LookUpsWith = (getCredentials: GetCredentials) => PolicyLookUps;

export interface WriteToSend<Call extends CheckedCall> {
	/** The checked call of an item, or the error that prevented it. */
	readonly planned: PromiseSettledResult<Call>;
	/** Whether to send the write even if an earlier one may have succeeded, or counts as this one. */
	readonly sendsAgain: boolean;
	/** The look-ups of the policy, made with the credential that contains it. */
	readonly lookUps: LookUpsWith;
	/** Last check before sending, after earlier attempts and the policy have been consulted. @throws InvalidInputError */
	readonly assertPossible?: (calls: readonly Call[], client: ServiceClient) => Promise<void>;
}

/** A write that may be sent, with everything needed to send it. */
export interface Sending<Call extends CheckedCall = CheckedCall> extends Origin {
	readonly checked: Call;
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
	/** The key of the call and its node in `submissions`. */
	readonly submissionKey: string;
	/** The same call from an earlier write, if its outcome is unknown. */
	readonly unknownCall: UnknownCall | undefined;
	/** The record of an earlier attempt at the same place, if it may be repeated. */
	readonly before: WriteRecord | undefined;
	/** The credential with which the write was prepared. */
	readonly pinned: PinnedCredential;
}

/** What must not be sent, because an earlier write counts as this one, with the result of that write. */
export interface Recorded {
	readonly result: WriteResult;
	/** The key of a submission by another execution, in `submissions`. */
	readonly submissionKey?: string;
}

/** What the earlier items of a list will use, by key. */
export interface Ahead {
	readonly spent: ReadonlyMap<string, bigint>;
	readonly taken: ReadonlyMap<string, number>;
}

const NONE: Ahead = { spent: new Map(), taken: new Map() };

export const RUN_AGAIN = 'Nothing was sent. Run the node again';

/** Checks that the base URL of the credential has not changed since the write was checked. */
export function assertSameService(now: string, before: string): void {
	const message = 'The base URL of the credential changed while the write was being prepared';
	if (now !== before) refuse('Base URL', undefined, message, RUN_AGAIN);
}

/** The key of the token that a call moves, or else of the called contract. */
const tokenKey = (credential: string, checked: CheckedCall) =>
	`${credential} ${(tokenMove(checked)?.token ?? checked.call.address).toLowerCase()}`;

/** The amounts of a write by key: native coin, and the token of its contract. */
export function amountsOf({
	credentialKey,
	checked,
	facts,
}: Pick<Sending, 'checked' | 'credentialKey' | 'facts'>): [key: string, amount: bigint][] {
	const { value = 0 } = checked.call;
	return [
		[credentialKey, BigInt(value)],
		[tokenKey(credentialKey, checked), facts.tokens ?? 0n],
	];
}

/** Returns the amounts that the execution has already sent with the credential, or will send before this write. */
function spentBefore({ budget, credentialKey }: Origin, checked: CheckedCall, ahead: Ahead): Spent {
	const spent = spentValue.of(budget);
	const sum = (key: string) => (spent.get(key) ?? 0n) + (ahead.spent.get(key) ?? 0n);
	return { value: sum(credentialKey), tokens: sum(tokenKey(credentialKey, checked)) };
}

/** Whether an earlier write at the same place may be sent again by this execution. */
function isLifted(before: WriteRecord, context: IExecuteSingleFunctions): boolean {
	return before.state === 'unknown' || before.execution !== executionIdOf(context);
}

/** Finds a submission that counts as this write: an equal call of the same node in another execution. */
function submittedElsewhere(
	context: IExecuteSingleFunctions,
	{ budget }: Origin,
	submissionKey: string,
	{ taken }: Ahead,
): AnsweredWrite | undefined {
	const withinMs = repeatWindowMs(context);
	if (withinMs === 0 || typeof budget !== 'string') return undefined;
	return submissions.find(submissionKey, budget, withinMs, taken.get(submissionKey));
}

/**
 * Prepares one write: checks earlier attempts, equal calls and the policy. It sends nothing and records nothing.
 *
 * @param ahead what the earlier items of a list will use
 * @throws InvalidInputError, or ServiceError if the write must not be sent
 * @example await prepareWrite(context, originOf(context), { planned, sendsAgain, lookUps }) // { call, facts, … }
 */
export async function prepareWrite<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	origin: Origin,
	{ planned, sendsAgain, lookUps }: WriteToSend<Call>,
	ahead = NONE,
): Promise<Recorded | Sending<Call>> {
	const before = records.find(origin.place);
	if (before !== undefined && !(sendsAgain && isLifted(before, context)))
		return { result: await earlierResult(context, planned, before) };
	if (planned.status === 'rejected') throw planned.reason;
	const checked = planned.value;
	const pinned = await pinCredential(context);
	const { baseUrl, credential, getCredentials } = pinned;
	assertSameService(baseUrl, checked.preparedFor ?? baseUrl);
	const call = canonicalCall(baseUrl, checked);
	const callKey = JSON.stringify([origin.credentialKey, call.digest]);
	const submissionKey = JSON.stringify([callKey, context.getWorkflow().id, context.getNode().name]);
	if (!sendsAgain) {
		const elsewhere = submittedElsewhere(context, origin, submissionKey, ahead);
		if (elsewhere !== undefined)
			return { result: { ...elsewhere, replayOf: elsewhere.call, call }, submissionKey };
	}
	const unknownCall = unknownCalls.get(callKey);
	if (unknownCall !== undefined && !sendsAgain) throw blockedCall(unknownCall);
	const spent = spentBefore(origin, checked, ahead);
	const facts = await lookUpForPolicy(credential, checked, spent, () => lookUps(getCredentials));
	const known = { before, unknownCall, spent, facts, lookUps, pinned };
	return { ...origin, ...known, checked, call, baseUrl, callKey, submissionKey };
}
