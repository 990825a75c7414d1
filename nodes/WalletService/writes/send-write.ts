import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { ServiceError } from '../request/failure/service-error';
import type { ServiceClient } from '../request/http/service-client';
import type { Run } from '../request/run/run';
import { assertReviewed } from '../request/run/n8n-faults/skipped-review';
import { settle } from '../values/settle';
import { assertKnownAccount, noteExecution } from './accounts';
import { countAhead } from './budget';
import type { WriteToSend } from './check-write';
import { checkWrite } from './check-write';
import { checkedList, isRepeatedInList } from './checked-list';
import type { WriteResult } from './earlier-try';
import { earlierResult } from './earlier-try';
import { notLookedFor } from './failures';
import type { Origin, WriteKey } from './identity';
import { canonicalCall, originOf, writeKey } from './identity';
import { labelsOf } from './ledger/labels';
import type { Retry } from './ledger/ledger';
import { queue } from './memory/process-memory';
import type { WriteRecord } from './memory/write-records';
import type { PinnedCredential } from './pinned-credential';
import { accountOf, isOfAccount, openPlanned, withUser } from './pinned-credential';
import { ask, findRecorded, offerFor, resultDespite } from './recorded-write';
import { beginForItem, decideInRetry } from './retry/in-retry';
import { sendAndRecord } from './send-and-record';
import { scopeText } from './scope-text';
import { tryRecordOf, triesOf } from './tries';

interface InRetry {
	readonly write: Pick<WriteToSend<CheckedCall>, 'orderId'>;
	readonly planned: PromiseSettledResult<CheckedCall>;
	readonly pinned: PinnedCredential | undefined;
	readonly run: Run;
	readonly retry: Retry;
}

/** What a Retry finds of an item, or the key under which it is sent. */
async function lookUpInRetry(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	{ place, credentialKey }: Origin,
	{ write: { orderId }, planned, pinned, run, retry }: InRetry,
): Promise<WriteResult | WriteKey | undefined> {
	const own = writeKey(context, place, { orderId });
	const unsent: unknown = planned.status === 'rejected' ? planned.reason : undefined;
	const find = async () => await findRecorded(context, client, own, planned);
	const ofOrder = orderId === undefined ? undefined : await ask(find, true, unsent);
	if (ofOrder) return ofOrder;
	const call =
		planned.status === 'fulfilled' && pinned && canonicalCall(pinned.baseUrl, planned.value);
	const callKey = JSON.stringify([credentialKey, call ? call.digest : '']);
	const found = await decideInRetry(context, run, place, retry, { planned, pinned, own, callKey });
	if (found && 'answer' in found && !found.conflict && found.replayOf && !run.ahead)
		triesOf(context).record = { ...found, state: 'answered', call: found.replayOf };
	return found;
}

const isUnknown = (record: WriteRecord | undefined): boolean => record?.state === 'unknown';

/** Whether this execution has the answer itself. */
const isOwn = (record: WriteRecord, { execution }: Origin): boolean =>
	record.state === 'answered' && record.execution === execution;

/** The call of a tool, with an Order ID that the service does not keep. */
function toolDigest(
	planned: PromiseSettledResult<CheckedCall>,
	pinned: PinnedCredential | undefined,
	orderId = '',
): string | undefined {
	if (planned.status === 'rejected' || pinned === undefined) return undefined;
	return `${canonicalCall(pinned.baseUrl, planned.value).digest} ${orderId}`;
}

async function sendInTurn<Call extends CheckedCall>(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	origin: Origin,
	write: WriteToSend<Call>,
	run: Run,
): Promise<WriteResult | undefined> {
	const { sendsAgain } = write;
	const list = checkedList(run, origin);
	const { place } = origin;
	const tries = triesOf(context);
	const isRetried = origin.isRetry && !write.isOfTool;
	const isFinal = (record: WriteRecord | undefined) =>
		record !== undefined &&
		// A person sends again what may have been sent; n8n's Retry on Fail, never.
		(!sendsAgain || isUnknown(tries.record) || isOwn(record, origin));
	// What the first execution has sent, a Retry finds in the ledger.
	const before = isRetried ? tries.record : tryRecordOf(context, place);
	if (before?.state === 'answered' && isFinal(before))
		return await earlierResult(context, write.planned, before);
	// The check and the request share this reading.
	const { planned, pinned: opened } = await openPlanned(context, write.planned);
	const offer = await offerFor(client, { ...write, planned }, opened, origin.mayBeKept);
	const pinned = opened && withUser(opened, offer);
	const { keepsWrites: isKept, listsWrites } = offer;
	const isLedger =
		sendsAgain || (listsWrites && origin.isNamed) || (isKept && write.orderId !== undefined);
	if (pinned) assertKnownAccount(origin, accountOf(pinned), isLedger);
	const labels = listsWrites ? labelsOf(context, origin, run.input, write.isOfTool) : undefined;
	// Of a tool, only its account is asked for: its calls have keys of their own.
	const isBegun = isRetried || (origin.isRetry && labels !== undefined);
	const ofLedger = write.isOfTool ? { ...place, scope: scopeText(origin.budget) } : place;
	const whose = { place: ofLedger, labels, offer, run };
	const retry = isBegun
		? await beginForItem(context, client, whose, { planned, pinned })
		: undefined;
	if (retry && isRetried && tries.key === undefined && !sendsAgain) {
		const found = await lookUpInRetry(context, client, origin, {
			write,
			planned,
			pinned,
			run,
			retry,
		});
		if (found === undefined || 'answer' in found) return found;
		tries.key = found;
	}
	const mayBeKept = isRetried ? write.orderId !== undefined : origin.mayBeKept;
	const ofTool = write.isOfTool ? toolDigest(planned, pinned, write.orderId) : undefined;
	// The first try settles it, whatever expressions give by now. It is not known of a tool's call that cannot be read.
	if (!write.isOfTool || ofTool !== undefined)
		tries.key ??= writeKey(context, place, {
			...{ ofTool, sendsAgain },
			orderId: write.orderId,
			isKept,
		});
	const { key } = tries;
	if (key === undefined) throw Object(planned).reason;
	const { orderId } = key;
	const unknown = before?.state === 'unknown' ? before : undefined;
	const isSame = unknown?.firstKey === key.first && isOfAccount(unknown, pinned);
	if (before && isFinal(before) && !(isKept && isSame))
		return await earlierResult(context, planned, before);
	const recorded = async (mayArrive = false) =>
		isKept ? await findRecorded(context, client, key, planned, mayArrive) : undefined;
	// Only another execution, or an earlier try, can have sent what is checked.
	const mayBeFound = mayBeKept || unknown !== undefined;
	const found = list && mayBeFound ? await ask(recorded, mayBeKept) : undefined;
	if (found !== undefined) return found;
	if (list && orderId !== undefined && planned.status === 'fulfilled' && pinned) {
		const { digest } = canonicalCall(pinned.baseUrl, planned.value);
		if (isRepeatedInList(list, orderId, digest)) return undefined;
	}
	const checking = async () => {
		if (planned.status === 'rejected' || pinned === undefined) throw Object(planned).reason;
		assertReviewed(context);
		const isRetry = origin.isRetry && !isRetried;
		const { input } = run;
		const known = { ...origin, isRetry, input, before, key, isKept, pinned, labels, retry };
		return await checkWrite(context, client, known, planned.value, write, list);
	};
	const checked = await settle(checking());
	// A write that was carried out before must not be hidden by what forbids it now.
	if (checked.status === 'rejected')
		return await resultDespite(
			checked.reason,
			() => recorded(origin.isRetry && !isRetried),
			mayBeKept,
		);
	const sending = checked.value;
	if (!('pinned' in sending)) return sending;
	if (list) {
		countAhead(list, sending);
		return undefined;
	}
	const sent = await settle(sendAndRecord(context, client, sending));
	if (sent.status === 'fulfilled') return sent.value;
	const error: unknown = sent.reason;
	// A refusal of this request says nothing about those of others.
	const isTold =
		error instanceof ServiceError && (error.details.state === 'unknown' || error.hashes.length > 0);
	if (!mayBeKept || isTold) throw error;
	return await resultDespite(error, recorded, mayBeKept);
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
	const origin = originOf(context, write.orderId);
	noteExecution(origin);
	if (run.ahead) return await sendInTurn(context, client, origin, write, run);
	return await queue.run(origin.credentialKey, client.cancel, async () => {
		const stopped = run.whyStopped(client.cancel);
		if (stopped && origin.mayBeKept) throw notLookedFor(stopped);
		if (stopped) throw stopped;
		const isTried = triesOf(context).record !== undefined;
		const result = await sendInTurn(context, client, origin, write, run);
		const isOfEqual = write.isOfTool && !isTried && result?.replayOf !== undefined;
		return result && { ...result, isOfEqual };
	});
}
