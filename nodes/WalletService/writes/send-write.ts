import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { selector } from '../contract/call';
import { functionKey } from '../contract/function';
import { readActiveCredential } from '../request/credential/active-credential';
import { credentialUser } from '../request/credential/signed-in-user';
import { ServiceError } from '../request/failure/service-error';
import { executionSignal } from '../request/http/deadline';
import type { ServiceClient } from '../request/http/service-client';
import type { Run } from '../request/run/run';
import { wallClockMs } from '../values/clock';
import { uniqueHashes } from '../values/hashes';
import { InvalidInputError } from '../values/invalid-input';
import { settle } from '../values/settle';
import type { CanonicalCall } from './canonical-call';
import { canonicalCall } from './canonical-call';
import { credentialKeyOf } from './credential-key';
import type { PlannedWrite, WriteResult } from './earlier-try';
import { baseUrlOf, earlierResult } from './earlier-try';
import { records, spentValue, unknownCalls } from './memory/memory';
import type { PinnedCredential } from './pinned-credential';
import { pinCredential } from './pinned-credential';
import { budgetScopeOf, placeOf } from './place';
import { assertAllowed, readSpendingPolicy } from './policy/policy';
import { blockedCall, withHashes } from './refusals';
import { submit } from './submit';
import type { UnknownCall } from './memory/unknown-calls';
import { logNotDone, logSubmitted } from './write-log';
import { WriteQueue } from './write-queue';
import type { WriteRecord } from './memory/write-records';

const queue = new WriteQueue();

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
	/** The service that the call is sent to. */
	readonly baseUrl: string;
	/** Identifies the call among those of unknown outcome. */
	readonly callKey: string;
	/** The same call as it was sent before, if its outcome is unknown. */
	readonly unknownCall: UnknownCall | undefined;
	/** The reading of the credential with which the call is sent first; absent if it is to be read again, because something was asked since. */
	readonly pinned?: PinnedCredential;
}

/** Records that a sending certainly was not done; the record of an earlier one is restored. */
function noteRefused(context: IExecuteSingleFunctions, value: bigint, before?: WriteRecord): void {
	const place = placeOf(context);
	if (before === undefined) records.remove(place);
	else records.keep(place, before);
	spentValue.add(budgetScopeOf(context), credentialKeyOf(context), -value);
}

/** Records that the outcome of a sending is unknown. */
function noteUnknown(
	context: IExecuteSingleFunctions,
	error: ServiceError,
	{ call, callKey }: Sending,
): void {
	const { hashes = [] } = error.details;
	const reason = error.inOneSentence();
	records.keep(placeOf(context), { state: 'unknown', call, reason, hashes });
	unknownCalls.set(callKey, { reason, hashes });
}

/** Whether a failed sending left something to look up: it may have been done, or its answer contains a hash. */
function isWorthLogging(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	return error.details.outcome !== 'refused' || error.details.hashes !== undefined;
}

/** Sends a write that is allowed, and records its outcome. */
async function sendAndRecord(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	sending: Sending,
): Promise<WriteResult> {
	const { checked, call, baseUrl, callKey, unknownCall, pinned } = sending;
	const place = placeOf(context);
	const before = records.find(place);
	const value = BigInt(checked.call.value ?? 0);
	const spent = spentBefore(context);
	const reason = 'the run ended before an answer came';
	const earlierHashes = uniqueHashes([
		...(unknownCall?.hashes ?? []),
		...(before?.state === 'unknown' ? before.hashes : []),
	]);
	records.keep(place, { state: 'unknown', call, reason, hashes: earlierHashes });
	// Before the answer: whoever looks for the transaction starts from here, and a service may answer after its block.
	const submittedAt = new Date(wallClockMs()).toISOString();
	spentValue.add(budgetScopeOf(context), credentialKeyOf(context), value);
	let userId: string | undefined;
	const assertMaySend = (credential: ICredentialDataDecryptedObject) => {
		assertPolicyAllows(credential, checked, spent);
		assertSameService(baseUrlOf(credential), baseUrl);
		userId = credentialUser(credential);
		assertSameSender(userId, checked.sender);
	};
	const submitting = submit(context, client, checked.call, { assertMaySend, pinned });
	const result = await settle(submitting);
	const sender = userId === undefined ? {} : { userId };
	if (result.status === 'fulfilled') {
		const { answer, hashes } = result.value;
		records.keep(place, { state: 'answered', call, answer, submittedAt, ...sender, earlierHashes });
		unknownCalls.delete(callKey);
		logSubmitted(context, call, [answer.hash, ...hashes]);
		return { answer, submittedAt, ...sender, earlierHashes };
	}
	const error = withHashes(result.reason, earlierHashes);
	if (error instanceof ServiceError && error.details.outcome !== 'refused') {
		noteUnknown(context, error, sending);
	} else noteRefused(context, value, before);
	if (isWorthLogging(error)) logNotDone(context, call, error);
	throw error;
}

/** When a write is sent, its credential must have the base URL that the write was checked for. */
function assertSameService(now: string, before: string): void {
	if (now === before) return;
	throw new InvalidInputError({
		parameter: 'Base URL',
		message: 'The base URL of the credential changed while the write was about to be sent',
		hint: 'Nothing was sent. Run the node again',
	});
}

/** Amounts, balance and words of a call can be those of one wallet only: somebody else may have signed in meanwhile. */
function assertSameSender(now: string | undefined, before: string | undefined): void {
	if (before === undefined || now === before) return;
	throw new InvalidInputError({
		message: `The credential was that of ${before} when the write was prepared, and is not any more`,
		hint: 'Nothing was sent. Run the node again',
	});
}

/** A write as it is handed over to be sent. */
export interface WriteToSend {
	readonly planned: PlannedWrite;
	/** Whether it is sent although an earlier sending may have succeeded. */
	readonly mayResend: boolean;
	/** Asked in turn, of a write that neither an earlier try nor the policy forbids. @throws InvalidInputError */
	readonly assertPossible?: () => Promise<void>;
}

async function sendInTurn(
	context: IExecuteSingleFunctions,
	run: Run,
	client: ServiceClient,
	{ planned, mayResend, assertPossible }: WriteToSend,
): Promise<WriteResult> {
	run.throwIfStopped(executionSignal(context));
	const earlier = await earlierResult(context, planned, mayResend);
	if (earlier !== undefined) return earlier;
	if (planned.status === 'rejected') throw planned.reason;
	const checked = planned.value;
	const pinned = await pinCredential(context);
	const { credential } = pinned;
	const baseUrl = baseUrlOf(credential);
	assertSameService(baseUrl, checked.preparedFor ?? baseUrl);
	const call = canonicalCall(baseUrl, checked);
	const callKey = JSON.stringify([credentialKeyOf(context), call.digest]);
	const unknownCall = unknownCalls.get(callKey);
	if (unknownCall !== undefined && !mayResend) throw blockedCall(unknownCall);
	const sending = { checked, call, baseUrl, callKey, unknownCall };
	if (assertPossible === undefined)
		return await sendAndRecord(context, client, { ...sending, pinned });
	// Before anything is asked about a write that is forbidden; the reading of the credential that sends it is checked again.
	assertPolicyAllows(credential, checked, spentBefore(context));
	await assertPossible();
	return await sendAndRecord(context, client, sending);
}

/**
 * The life of one write: it waits for the other writes of its credential; an earlier try at its place provides the answer or
 * forbids the write; so does the same call anywhere, if its outcome is unknown; the policy allows it; it is sent, and its
 * outcome is recorded.
 *
 * @throws InvalidInputError when the policy refuses it, ServiceError with its outcome when it is not done.
 * @example await sendWrite(context, run, client, { planned, mayResend, assertPossible }) // { answer: { status: 'SUCCESS', hash: '0x…' }, … }
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
 * Checks a write that is only previewed: it counts neither as sent nor as spent.
 *
 * @returns the credential that it would be sent with
 * @throws InvalidInputError when the policy would refuse it.
 * @example const { baseUrl } = await assertMayPreview(context, checked);
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
