import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { credentialUser } from '../request/credential/signed-in-user';
import { ServiceError } from '../request/failure/service-error';
import type { ServiceClient } from '../request/http/service-client';
import type { Run } from '../request/run/run';
import { executionIdOf } from '../request/run/tool-call';
import { wallClockMs } from '../values/clock';
import { uniqueHashes } from '../values/hashes';
import { refuse } from '../values/invalid-input';
import { settle } from '../values/settle';
import type { WriteResult } from './earlier-try';
import { withHashes } from './earlier-try';
import type { Origin } from './identity';
import { originOf } from './identity';
import { queue, records, spentValue, submissions, unknownCalls } from './memory/process-memory';
import type { AnsweredWrite } from './memory/write-records';
import type { PinnedCredential } from './pinned-credential';
import { pinCredential } from './pinned-credential';
import { assertAllowed, lookUpForPolicy } from './policy/policy';
import type { Recorded, Sending, WriteToSend } from './prepare-write';
import { amountsOf, assertSameService, prepareWrite, RUN_AGAIN } from './prepare-write';
import { submit } from './submit';
import { logNotDone, logSubmitted } from './write-log';

/** Checks that no other user has signed in: the amounts, balance and description of a call belong to one wallet. */
function assertSameSender(now: string | undefined, before: string | undefined): void {
	if (before === undefined || now === before) return;
	const message = `The credential no longer belongs to ${before}, for whom the write was prepared`;
	refuse(undefined, undefined, message, RUN_AGAIN);
}

/** Counts the amounts of a write. @param sign -1 to subtract them again if the write was refused */
function count(sending: Sending, sign = 1n): void {
	const amounts = amountsOf(sending).map(([key, amount]): [string, bigint] => [key, sign * amount]);
	spentValue.add(sending.budget, amounts);
}

/** Records a submitted write. */
function noteDone({ place, budget, callKey, submissionKey }: Sending, record: AnsweredWrite): void {
	records.keep(place, record);
	unknownCalls.delete(callKey);
	if (typeof budget === 'string') submissions.add(submissionKey, budget, record);
}

function noteNotDone(error: unknown, sending: Sending): void {
	const { place, call, callKey, before } = sending;
	if (error instanceof ServiceError && error.details.outcome !== 'refused') {
		const unknown = { reason: error.inOneSentence(), hashes: error.details.hashes ?? [] };
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
	const { place, checked, spent, call, before, unknownCall, baseUrl } = sending;
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
		userId = credentialUser(credential);
		assertSameSender(userId, checked.sender);
		return getCredentials;
	};
	const result = await settle(submit(client, checked.call, openCredential));
	if (result.status === 'fulfilled') {
		const { answer, hashes } = result.value;
		const execution = executionIdOf(context);
		const done = { answer, submittedAt, userId, earlierHashes, execution };
		noteDone(sending, { state: 'answered', call, ...done });
		logSubmitted(context, call, [answer.hash, ...hashes]);
		return done;
	}
	const error = withHashes(result.reason, earlierHashes);
	noteNotDone(error, sending);
	logNotDone(context, call, error);
	throw error;
}

/** Returns the result of the write that counts as this one, and keeps it for later attempts at the same place. */
function keepRecorded({ place, budget }: Origin, { result, submissionKey }: Recorded): WriteResult {
	const { replayOf, call: _call, ...done } = result;
	if (submissionKey === undefined || typeof budget !== 'string' || replayOf === undefined)
		return result;
	submissions.add(submissionKey, budget);
	records.keep(place, { state: 'answered', call: replayOf, ...done });
	return result;
}

async function sendInTurn<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	origin: Origin,
	write: WriteToSend<Call>,
): Promise<WriteResult> {
	const { assertPossible } = write;
	const prepared = await prepareWrite(context, origin, write);
	if ('result' in prepared) return keepRecorded(origin, prepared);
	const { checked, facts, pinned } = prepared;
	const { wallets, tokens, takesBack = false } = facts;
	const hasLookedUp = takesBack || wallets.size > 0 || tokens !== undefined;
	const hasAsked = assertPossible !== undefined || hasLookedUp;
	// The policy is checked first, so that a forbidden write causes no look-ups.
	await assertPossible?.([checked], client);
	return await sendAndRecord(context, client, prepared, hasAsked ? undefined : pinned);
}

/**
 * Sends one write after the earlier writes of its credential, and records its outcome. An earlier attempt at its place
 * provides the answer or blocks it; an identical call of unknown outcome, from any place, blocks it; the policy must
 * allow it.
 *
 * @throws InvalidInputError if the policy refuses it, ServiceError with its outcome unless it was submitted.
 * @example await sendWrite(context, run, client, { planned, sendsAgain, lookUps }) // { answer: { status: 'SUCCESS', hash: '0x…' }, … }
 */
export async function sendWrite<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	run: Run,
	client: ServiceClient,
	write: WriteToSend<Call>,
): Promise<WriteResult> {
	const origin = originOf(context);
	return await queue.run(origin.credentialKey, client.cancel, async () => {
		run.throwIfStopped(client.cancel);
		return await sendInTurn(context, client, origin, write);
	});
}
