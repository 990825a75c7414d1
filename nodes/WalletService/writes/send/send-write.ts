import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { assertReviewed } from '../../request/run/n8n-faults/skipped-review';
import { settle } from '../../values/settle';
import { assertKnownAccount, noteExecution } from '../retry/known-account';
import { countAhead, nameUnderKey } from '../check/budget';
import type { WriteToSend } from '../check/check-write';
import { checkWrite } from '../check/check-write';
import { checkedList, isRepeatedInList } from '../check/checked-list';
import type { WriteResult } from '../result';
import { earlierResult } from '../result';
import { notLookedFor } from '../failures';
import type { WriteKey } from '../key';
import type { Origin } from '../place';
import { canonicalCall } from '../canonical-call';
import { writeKey } from '../key';
import { originOf } from '../place';
import type { Labels } from '../ledger/labels';
import { labelsOf } from '../ledger/labels';
import type { Retry } from '../ledger/ledger';
import { queue } from '../ledger/process-memory';
import type { WriteRecord } from '../ledger/process-records';
import type { PinnedCredential } from '../pinned-credential';
import { accountOf, assertSender, isOfAccount, withUser } from '../account';
import { openPlanned } from '../pinned-credential';
import { ask, findRecorded, offerFor, resultDespite } from '../ask-service';
import { beginForItem } from '../retry/begin';
import { decideInRetry } from '../retry/in-retry';
import { sendAndRecord } from './send-and-record';
import { scopeText } from '../scope-text';
import { tryRecordOf, triesOf } from '../tries';

/** A write in its turn, or in the check of its list. */
interface Turn {
	readonly context: IExecuteSingleFunctions;
	readonly client: ServiceClient;
	readonly origin: Origin;
	readonly write: WriteToSend;
	readonly run: Run;
}

/** The same, once its credential was read, its service has described itself, and its Retry has begun. */
interface OpenTurn extends Turn {
	/** Absent if the credential cannot be used, or the call cannot be made. */
	readonly pinned: PinnedCredential | undefined;
	/** Whose token it is, if the service says so. */
	readonly user: string | undefined;
	/** Whether the service keeps the write under its key. */
	readonly isKept: boolean;
	readonly labels: Labels | undefined;
	/** Present in a Retry that its ledger decides; of a tool, only the account is asked for. */
	readonly retry: Retry | undefined;
}

/** Whether this execution has the answer itself. */
const isOwn = (record: WriteRecord, { execution }: Origin): boolean =>
	record.state === 'answered' && record.execution === execution;

/** Whether the ledger decides what a Retry sends; calls of tools have keys of their own. */
const isOfLedger = ({ origin, write }: Turn): boolean => origin.isRetry && !write.isOfTool;

/** Whether another execution may have sent what has the key of the write. */
const isShared = ({ origin, write: { isOfTool, orderId } }: Turn): boolean =>
	orderId !== undefined || (origin.isRetry && isOfTool);

/** What an earlier try of the item knows of its write, and whether it counts. */
function earlierOf(turn: Turn) {
	const { context, origin, write } = turn;
	const { record } = triesOf(context);
	const before = isOfLedger(turn) ? record : tryRecordOf(context, origin.place);
	// A person sends again what may have been sent; n8n's Retry on Fail, never.
	const counts = !write.sendsAgain || record !== undefined || (before && isOwn(before, origin));
	return { before, counts };
}

/** Reads the credential, which the check and the request share, and begins the Retry. @throws ServiceError */
async function openTurn(turn: Turn): Promise<OpenTurn> {
	const { context, client, origin, run } = turn;
	const { planned, pinned: opened } = await openPlanned(context, turn.write.planned);
	const write = { ...turn.write, planned };
	const offer = await offerFor(client, write, opened, origin.mayBeKept);
	const pinned = opened && withUser(opened, offer);
	const { keepsWrites: isKept, listsWrites } = offer;
	const isKnown =
		write.sendsAgain || (listsWrites && origin.isNamed) || (isKept && write.orderId !== undefined);
	if (pinned) assertKnownAccount(origin, accountOf(pinned), isKnown);
	const labels = listsWrites ? labelsOf(context, origin, run.input, write.isOfTool) : undefined;
	const scope = write.isOfTool ? scopeText(origin.budget) : origin.place.scope;
	const whose = { place: { ...origin.place, scope }, labels, offer, run };
	const isBegun = isOfLedger(turn) || (origin.isRetry && labels !== undefined);
	const begin = async () => await beginForItem(context, client, whose, { planned, pinned });
	const retry = isBegun ? await begin() : undefined;
	return { ...turn, write, pinned, user: offer.user, isKept, labels, retry };
}

/** What the service has recorded under a key. */
const recordedUnder =
	({ context, client, write: { planned } }: Turn, key: WriteKey) =>
	async (mayArrive = false) =>
		await findRecorded(context, client, key, planned, mayArrive);

/** What a Retry finds of an item, or the key under which it is sent. */
async function lookUpInRetry(
	turn: OpenTurn,
	retry: Retry,
): Promise<WriteResult | WriteKey | undefined> {
	const { context, run, pinned } = turn;
	const { place, credentialKey } = turn.origin;
	const { orderId, planned } = turn.write;
	const own = writeKey(context, place, { orderId });
	const unsent: unknown = planned.status === 'rejected' ? planned.reason : undefined;
	const ofOrder =
		orderId === undefined ? undefined : await ask(recordedUnder(turn, own), true, unsent);
	if (ofOrder) return ofOrder;
	const call =
		planned.status === 'fulfilled' && pinned && canonicalCall(pinned.baseUrl, planned.value);
	const callKey = JSON.stringify([credentialKey, call ? call.digest : '']);
	const found = await decideInRetry(context, run, place, retry, { planned, pinned, own, callKey });
	if (found && 'answer' in found && !found.conflict && found.replayOf && !run.ahead)
		triesOf(context).record = { ...found, state: 'answered', call: found.replayOf };
	return found;
}

/** The call of a tool, with an Order ID that the service does not keep. */
function toolDigest({ write, pinned }: OpenTurn): string | undefined {
	const { planned, isOfTool, orderId = '' } = write;
	if (!isOfTool || planned.status === 'rejected' || pinned === undefined) return undefined;
	return `${canonicalCall(pinned.baseUrl, planned.value).digest} ${orderId}`;
}

/** The key of the write, which the first try settles, whatever expressions give by now; in a Retry, perhaps its result. */
async function settleKey(turn: OpenTurn): Promise<WriteResult | WriteKey | undefined> {
	const { context, origin, write, isKept, retry } = turn;
	const { sendsAgain, orderId, isOfTool, planned } = write;
	const { key } = triesOf(context);
	if (key !== undefined) return key;
	if (retry && isOfLedger(turn) && !sendsAgain) return await lookUpInRetry(turn, retry);
	const ofTool = toolDigest(turn);
	// It is not known of a tool's call that cannot be read.
	if (isOfTool && ofTool === undefined) throw Object(planned).reason;
	return writeKey(context, origin.place, { ofTool, sendsAgain, orderId, isKept });
}

/** Checks the write, and sends it unless its list is only checked. */
async function checkAndSend(
	turn: OpenTurn,
	key: WriteKey,
	before: WriteRecord | undefined,
): Promise<WriteResult | undefined> {
	const { context, client, origin, write, run, pinned, user, isKept, labels, retry } = turn;
	const { planned } = write;
	const list = checkedList(run, origin);
	const isRetry = origin.isRetry && write.isOfTool;
	const checking = async () => {
		if (planned.status === 'rejected' || pinned === undefined) throw Object(planned).reason;
		assertReviewed(context);
		assertSender(pinned, write.sender, user);
		const known = { isRetry, input: run.input, before, key, isKept, pinned, labels, retry };
		return await checkWrite(context, client, { ...origin, ...known }, planned.value, write, list);
	};
	const recorded = async (mayArrive = false) =>
		isKept ? await recordedUnder(turn, key)(mayArrive) : undefined;
	const checked = await settle(checking());
	// A write that was carried out before must not be hidden by what forbids it now.
	if (checked.status === 'rejected')
		return await resultDespite(checked.reason, async () => await recorded(isRetry), isShared(turn));
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
	if (!isShared(turn) || isTold) throw error;
	return await resultDespite(error, recorded, true);
}

async function sendInTurn(turn: Turn): Promise<WriteResult | undefined> {
	const { context, origin, run } = turn;
	const { before, counts } = earlierOf(turn);
	if (counts && before?.state === 'answered')
		return await earlierResult(context, turn.write.planned, before);
	const open = await openTurn(turn);
	const { write, pinned, isKept } = open;
	const { planned } = write;
	const found = await settleKey(open);
	if (found === undefined || 'answer' in found) return found;
	const key = (triesOf(context).key = found);
	// Only the service can decide it, at the account that has sent it.
	const unknown = before?.state === 'unknown' ? before : undefined;
	const isDecidable = isKept && unknown?.firstKey === key.first && isOfAccount(unknown, pinned);
	if (counts && before && !isDecidable) return await earlierResult(context, planned, before);
	const list = checkedList(run, origin);
	// Only another execution, or an earlier try, can have sent what is checked.
	if (list && isKept && (isShared(turn) || unknown)) {
		const recorded = await ask(recordedUnder(open, key), isShared(turn));
		if (recorded !== undefined) return recorded;
	}
	const { orderId } = key;
	if (list && orderId !== undefined && planned.status === 'fulfilled' && pinned) {
		const { digest } = canonicalCall(pinned.baseUrl, planned.value);
		const name = nameUnderKey(accountOf(pinned), key.first);
		if (isRepeatedInList(list, { orderId, name, digest })) return undefined;
	}
	return await checkAndSend(open, key, before);
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
export async function sendWrite(
	context: IExecuteSingleFunctions,
	run: Run,
	client: ServiceClient,
	write: WriteToSend,
): Promise<WriteResult | undefined> {
	const origin = originOf(context, write.orderId);
	noteExecution(origin);
	const turn = { context, client, origin, write, run };
	if (run.ahead) return await sendInTurn(turn);
	return await queue.run(origin.credentialKey, client.cancel, async () => {
		const stopped = run.whyStopped(client.cancel);
		if (stopped && origin.mayBeKept) throw notLookedFor(stopped);
		if (stopped) throw stopped;
		const isTried = triesOf(context).record !== undefined;
		const result = await sendInTurn(turn);
		const isOfEqual = write.isOfTool && !isTried && result?.replayOf !== undefined;
		return result && { ...result, isOfEqual };
	});
}
