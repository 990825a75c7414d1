import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { GetCredentials } from '../../request/credential/shared-credential';
import type { ServiceClient } from '../../request/http/service-client';
import type { Ahead } from '../../request/run/run';
import { settle } from '../../values/settle';
import { nameOf, spentBefore } from './budget';
import type { CheckedList } from './checked-list';
import type { WriteResult } from '../result';
import { earlierResult } from '../result';
import type { ToolCall } from './equal-calls';
import { findOfSteps, findOfTool, noteForExecution, noteOfTool } from './equal-calls';
import { blockedCall, wentThrough } from '../failures';
import type { CanonicalCall } from '../canonical-call';
import type { WriteKey } from '../key';
import type { Origin } from '../place';
import { canonicalCall } from '../canonical-call';
import { fence } from '../send/state-of-key';
import type { Labels } from '../ledger/labels';
import type { Retry } from '../ledger/ledger';
import { records, sentWrites, unknownCalls } from '../ledger/process-memory';
import type { UnknownCall, WriteRecord } from '../ledger/process-records';
import type { PinnedCredential } from '../pinned-credential';
import { accountName, accountOf, isOfAccount } from '../account';
import type { Spent } from '../policy/policy';
import { lookUpForPolicy } from '../policy/policy';
import { triesOf } from '../tries';
import type { PolicyFacts, PolicyLookUps } from '../policy/policy-facts';

type LookUpsWith = (getCredentials: GetCredentials) => PolicyLookUps;

/** A write whose turn has come, with everything needed to send it. */
export interface Sending extends Origin {
	readonly checked: CheckedCall;
	/** Amounts sent before this write. */
	readonly spent: Spent;
	/** Facts looked up for the policy, at first before the first attempt. */
	facts: PolicyFacts;
	readonly lookUps: LookUpsWith;
	readonly call: CanonicalCall;
	/** Its name among the writes of its execution. */
	readonly name: string;
	/** The key of the call in `unknownCalls`. */
	readonly callKey: string;
	/** The key of the call among the submissions of its node. */
	readonly nodeKey: string;
	/** Present for a tool. */
	readonly toolCall: ToolCall | undefined;
	/** The same call from an earlier write, if its outcome is unknown. */
	readonly unknownCall: UnknownCall | undefined;
	/** The record of an earlier attempt at the same place, if it may be repeated. */
	readonly before: WriteRecord | undefined;
	readonly key: WriteKey;
	/** The credential with which it was checked. */
	readonly pinned: PinnedCredential;
	/** Whether look-ups were made after the credential was read, so that it is read and judged again. */
	readonly hasAsked: boolean;
	/** Whether the service keeps the write under its key. */
	readonly isKept: boolean;
	/** By what a service lists it; absent if it lists no writes. */
	readonly labels: Labels | undefined;
	/** Digest of the input of its run; see `Run.input`. */
	readonly input: string;
	/** Present in a Retry. */
	readonly retry: Retry | undefined;
}

export interface WriteToSend {
	/** The checked call of an item, or the error that prevented it. */
	readonly planned: PromiseSettledResult<CheckedCall>;
	/** Whether to send the write even if an equal one may have succeeded, or counts as this one. */
	readonly sendsAgain: boolean;
	/**
	 * The order that the write pays; it replaces the place, and needs a service that keeps writes. In a tool, where the service
	 * does not keep it, it tells equal calls apart.
	 */
	readonly orderId?: string;
	/** The user whose wallet is to pay; absent if any may. */
	readonly sender?: string | undefined;
	/** Whether a model has made the call. */
	readonly isOfTool: boolean;
	/** The look-ups of the policy, made with the credential that contains it. */
	readonly lookUps: LookUpsWith;
	/** Last check before sending, after earlier attempts and the policy have been consulted. @throws InvalidInputError */
	readonly assertPossible?: ((client: ServiceClient, ahead?: Ahead) => Promise<void>) | undefined;
}

function toolCallOf(
	ofAccount: readonly string[],
	node: ReadonlyArray<string | undefined>,
	orderId: string | undefined,
): ToolCall {
	const ofExecution = JSON.stringify([...ofAccount, orderId]);
	return { ofExecution, ofNode: JSON.stringify([ofExecution, ...node]) };
}

/** The part of a write that is known before it is checked. */
type Checking = Origin &
	Pick<Sending, 'before' | 'key' | 'isKept' | 'pinned' | 'labels' | 'input' | 'retry'>;

/** Decides an equal call of unknown outcome, if the service can. @throws ServiceError unless it certainly never takes place. */
async function assertDecided(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	unknown: UnknownCall,
	known: Omit<Checking, 'before'> & Pick<Sending, 'call' | 'callKey' | 'nodeKey' | 'toolCall'>,
): Promise<void> {
	const { call, callKey, toolCall, key, isKept, pinned } = known;
	const isOtherOrder = unknown.isOrder === true && key.orderId !== undefined;
	const isOwn = unknown.firstKey === key.first;
	if (!isKept || unknown.key === undefined || !isOfAccount(unknown, pinned))
		throw blockedCall(unknown);
	if (isOwn || isOtherOrder) return;
	const openCredential = async () => pinned.getCredentials;
	const decided = await settle(fence(client, unknown.key, { openCredential }));
	if (decided.status === 'rejected') throw blockedCall(unknown);
	unknownCalls.delete(callKey);
	if (decided.value === undefined) {
		sentWrites.noteNeverSent(known.budget, accountOf(pinned), new Set([unknown.key]));
		return;
	}
	const { answer, sentAtMs } = decided.value;
	const { hash } = answer;
	const submittedAt = String(answer.submittedAt ?? '');
	// A model that asks once more means the same write.
	// In other executions, only what this node has sent answers it.
	const note = unknown.nodeKey === known.nodeKey ? noteOfTool : noteForExecution;
	if (toolCall && key.orderId === undefined)
		note(known, toolCall, { state: 'answered', answer, submittedAt, sentAtMs, call });
	// So that Retry on Fail does not repeat it either.
	const reason = 'an equal write was submitted';
	triesOf(context).record = { state: 'unknown', reason, hashes: [hash] };
	throw wentThrough(hash);
}

/**
 * Checks a write that no record answers.
 *
 * @returns the result that it repeats, or what is needed to send it
 * @throws InvalidInputError, or ServiceError if it may not be sent
 * @example await checkWrite(context, client, { ...origin, before, key, isKept, pinned, input: '' }, checked, write) // { hasAsked: false, … }
 */
export async function checkWrite(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	known: Checking,
	checked: CheckedCall,
	{ sendsAgain, orderId, isOfTool, lookUps, assertPossible }: WriteToSend,
	list?: CheckedList,
): Promise<WriteResult | Sending> {
	const { credentialKey, key, pinned } = known;
	const planned = { status: 'fulfilled', value: checked } as const;
	const { baseUrl, credential, getCredentials } = pinned;
	const call = canonicalCall(baseUrl, checked);
	const callKey = JSON.stringify([credentialKey, call.digest]);
	const node = [context.getWorkflow().id, context.getNode().name];
	const ofAccount = [accountName(accountOf(pinned)), call.digest];
	const nodeKey = JSON.stringify([...ofAccount, ...node]);
	const toolCall = isOfTool ? toolCallOf(ofAccount, node, orderId) : undefined;
	const counts = !sendsAgain && key.orderId === undefined;
	const ofSteps = async () =>
		known.repeatWindowMs > 0
			? await findOfSteps(context, client, known, planned, { digest: call.digest, nodeKey, list })
			: undefined;
	const ofTool = async (one: ToolCall) =>
		await findOfTool(context, client, known, planned, { toolCall: one, digest: call.digest });
	const equal = counts && (await (toolCall ? ofTool(toolCall) : ofSteps()));
	if (equal) {
		if (list === undefined) {
			triesOf(context).record = equal;
			// A Retry finds it at this place as well.
			if (toolCall) noteForExecution(known, toolCall, equal);
			else records.keep({ ...known, key: key.first, call: call.digest }, equal);
		}
		return await earlierResult(context, planned, equal);
	}
	const unknownCall = unknownCalls.get(callKey);
	if (unknownCall !== undefined && !sendsAgain && !(list && unknownCall.key))
		await assertDecided(context, client, unknownCall, {
			...known,
			call,
			callKey,
			nodeKey,
			toolCall,
		});
	const name = nameOf({ ...known, call });
	const spent = spentBefore({ ...known, call, name }, checked, list);
	const facts = await lookUpForPolicy(credential, checked, spent, () => lookUps(getCredentials));
	const { wallets, tokens, takesBack = false } = facts;
	const hasLookedUp = takesBack || wallets.size > 0 || tokens !== undefined;
	const hasAsked = assertPossible !== undefined || hasLookedUp;
	// The policy is checked first, so that a forbidden write causes no look-ups.
	await assertPossible?.(client, list?.ahead);
	const found = { unknownCall, spent, facts, lookUps, hasAsked };
	return { ...known, ...found, checked, call, name, callKey, nodeKey, toolCall };
}
