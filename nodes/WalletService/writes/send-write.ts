import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { selector } from '../contract/calldata';
import { functionKey } from '../contract/function';
import {
	activeCredentialType,
	readActiveCredential,
} from '../request/credential/active-credential';
import { ServiceError } from '../request/failure/service-error';
import { executionSignal } from '../request/http/deadline';
import type { ServiceClient } from '../request/http/service-client';
import type { Run } from '../request/run/run';
import { isTool } from '../request/run/tool-call';
import { InvalidInputError } from '../values/invalid-input';
import { settle } from '../values/settle';
import type { CanonicalCall } from './canonical-call';
import { canonicalCall } from './canonical-call';
import type { PlannedWrite, WriteResult } from './earlier-try';
import { baseUrlOf, earlierResult } from './earlier-try';
import { records, spentValue, unknownCalls } from './memory';
import { budgetScopeOf, placeOf } from './place';
import { assertAllowed, readSpendingPolicy } from './policy';
import { unknownToTool, withHashes } from './refusals';
import { submit } from './submit';
import { logNotDone, logSubmitted } from './write-log';
import { WriteQueue } from './write-queue';
import type { WriteRecord } from './write-record';

const queue = new WriteQueue();

/** The credential of a node; all nodes whose credential has no id share one. */
function credentialKeyOf(context: IExecuteSingleFunctions): string {
	const type = activeCredentialType(context);
	return JSON.stringify([type, context.getNode().credentials?.[type]?.id ?? '']);
}

/** @param spent native coin that the execution has sent before, in wei */
function assertPolicyAllows(
	credential: ICredentialDataDecryptedObject,
	{ contractFunction, call }: CheckedCall,
	spent: bigint,
): void {
	const write = {
		contractAddress: call.address,
		functionKey: functionKey(contractFunction),
		selector: selector(contractFunction),
		value: BigInt(call.value ?? 0),
	};
	assertAllowed(readSpendingPolicy(credential), write, spent);
}

/** Native coin that the execution of an item has sent with its credential, in wei. */
function spentBefore(context: IExecuteSingleFunctions): bigint {
	return spentValue.of(budgetScopeOf(context), credentialKeyOf(context));
}

interface Sending {
	readonly checked: CheckedCall;
	readonly call: CanonicalCall;
	/** Where the call goes. */
	readonly baseUrl: string;
	/** Among the calls of tools; absent when the node is none. */
	readonly toolKey: string | undefined;
}

/** Keeps that a sending certainly was not done. What an earlier one came to stays as it was. */
function noteRefused(context: IExecuteSingleFunctions, value: bigint, before?: WriteRecord): void {
	const place = placeOf(context);
	if (before === undefined) records.remove(place);
	else records.keep(place, before);
	spentValue.add(budgetScopeOf(context), credentialKeyOf(context), -value);
}

/** Keeps that nobody knows what became of a sending. */
function noteUnknown(
	context: IExecuteSingleFunctions,
	{ details }: ServiceError,
	{ call, toolKey }: Sending,
): void {
	const { message: reason, hashes = [] } = details;
	records.keep(placeOf(context), { state: 'unknown', call, reason, hashes });
	if (toolKey !== undefined) unknownCalls.set(toolKey, { reason, hashes });
}

/** Whether a failed sending left something to look for: it may have been done, or its answer holds a hash. */
function isWorthLogging(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	return error.details.outcome !== 'refused' || error.details.hashes !== undefined;
}

/** Sends a write that may be sent, and keeps what became of it. */
async function sendAndRecord(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	sending: Sending,
): Promise<WriteResult> {
	const { checked, call, baseUrl, toolKey } = sending;
	const place = placeOf(context);
	const before = records.find(place);
	const value = BigInt(checked.call.value ?? 0);
	const spent = spentBefore(context);
	const reason = 'the run ended before an answer came';
	const earlierHashes = before?.state === 'unknown' ? before.hashes : [];
	records.keep(place, { state: 'unknown', call, reason, hashes: earlierHashes });
	spentValue.add(budgetScopeOf(context), credentialKeyOf(context), value);
	const submitting = submit(context, client, checked.call, (credential) => {
		assertPolicyAllows(credential, checked, spent);
		assertSameService(baseUrlOf(credential), baseUrl);
	});
	const result = await settle(submitting);
	if (result.status === 'fulfilled') {
		const { answer, hashes } = result.value;
		records.keep(place, { state: 'answered', call, answer });
		if (toolKey !== undefined) unknownCalls.delete(toolKey);
		logSubmitted(context, call, [answer.hash, ...hashes]);
		return { answer, call, earlierHashes };
	}
	const error = withHashes(result.reason, earlierHashes);
	if (error instanceof ServiceError && error.details.outcome !== 'refused') {
		noteUnknown(context, error, sending);
	} else noteRefused(context, value, before);
	if (isWorthLogging(error)) logNotDone(context, call, error);
	throw error;
}

/** The credential as it is when the write leaves must lead to where the call was meant to go. */
function assertSameService(now: string, before: string): void {
	if (now === before) return;
	throw new InvalidInputError({
		parameter: 'Base URL',
		message: 'The base URL of the credential changed while the write was about to be sent',
		hint: 'Nothing was sent. Run the node again',
	});
}

/** A write as it is handed over to be sent. */
export interface WriteToSend {
	readonly planned: PlannedWrite;
	/** Asked in turn, of a write that is about to be sent and that nothing else forbids. @throws InvalidInputError */
	readonly assertPossible: () => Promise<void>;
}

async function sendInTurn(
	context: IExecuteSingleFunctions,
	run: Run,
	client: ServiceClient,
	{ planned, assertPossible }: WriteToSend,
): Promise<WriteResult> {
	run.throwIfStopped(executionSignal(context));
	const { resendWhenUnknown } = run.settings;
	const earlier = await earlierResult(context, planned, resendWhenUnknown);
	if (earlier !== undefined) return earlier;
	if (planned.status === 'rejected') throw planned.reason;
	const checked = planned.value;
	const credential = await readActiveCredential(context);
	const baseUrl = baseUrlOf(credential);
	const call = canonicalCall(baseUrl, checked);
	const { id } = context.getWorkflow();
	const toolKey = isTool(context)
		? JSON.stringify([credentialKeyOf(context), id, context.getNode().name, call.digest])
		: undefined;
	const unknown = toolKey === undefined ? undefined : unknownCalls.get(toolKey);
	if (unknown !== undefined && !resendWhenUnknown) throw unknownToTool(unknown);
	assertPolicyAllows(credential, checked, spentBefore(context));
	await assertPossible();
	return await sendAndRecord(context, client, { checked, call, baseUrl, toolKey });
}

/**
 * The life of one write: it waits for the other writes of its credential; an earlier try at its place answers for it, or
 * forbids it; the policy allows it; it is sent, and what became of it is kept.
 *
 * @throws InvalidInputError when the policy refuses it, ServiceError with its outcome when it is not done.
 */
export async function sendWrite(
	context: IExecuteSingleFunctions,
	run: Run,
	client: ServiceClient,
	write: WriteToSend,
): Promise<WriteResult> {
	const work = async () => await sendInTurn(context, run, client, write);
	return await queue.run(credentialKeyOf(context), executionSignal(context), work);
}

/**
 * Checks a write that is only shown: it counts neither as sent nor as spent.
 *
 * @returns the credential that it would be sent with
 * @throws InvalidInputError when the policy would refuse it.
 */
export async function assertMayPreview(
	context: IExecuteSingleFunctions,
	checked: CheckedCall,
): Promise<ICredentialDataDecryptedObject> {
	const credential = await readActiveCredential(context);
	// As if it were the first write: what has been sent meanwhile must not fail an item that sends nothing.
	assertPolicyAllows(credential, checked, 0n);
	return credential;
}
