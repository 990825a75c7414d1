import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { Run } from '../../request/run/run';
import { perRun } from '../../request/run/run';
import type { WriteResult } from '../result';
import { afterEarlierTry } from '../failures';
import type { WriteKey } from '../key';
import type { Place } from '../place';
import { canonicalCall } from '../canonical-call';
import { positionOf } from '../ledger/labels';
import type { ListedWrite, Retry } from '../ledger/ledger';
import { unknownCalls } from '../ledger/process-memory';
import { orderKey } from '../order-key';
import { keptHashes } from '../kept-runs';
import type { Tries } from '../tries';
import { triesOf } from '../tries';
import type { InTurn } from './begin';
import type { Asked, Decision } from './decide';
import { decide } from './decide';
import { freeKey } from './free-key';

/** What is asked for by the items of a run, and decided for all of them together. */
interface RunOfRetry {
	readonly asked: Map<number, Asked>;
	/** Keys of their orders. */
	readonly orders: Set<string>;
	/** The hashes in what n8n has kept of earlier runs. */
	kept?: ReadonlySet<string>;
	decided?: Map<number, Decision<ListedWrite>>;
}

const runOf = perRun((): RunOfRetry => ({ asked: new Map(), orders: new Set() }));

/** What has answered an item, by what its tries share: a later one has the same answer. */
const answered = new WeakMap<Tries, ListedWrite>();

/** Differs from the digest of any call. */
const UNREADABLE = 'unreadable';

function askedBy(place: Place, { input }: Run, { planned, pinned }: InTurn, order?: string): Asked {
	const isReadable = planned.status === 'fulfilled' && pinned !== undefined;
	const call = isReadable ? canonicalCall(pinned.baseUrl, planned.value).digest : UNREADABLE;
	return { item: place.item, place: positionOf(place), input, call, order };
}

/**
 * Notes what an item of a Retry asks for, before any of them is decided. What this Retry has settled for it already, stays so.
 *
 * @example foresee(context, run, placeOf(context), { planned, pinned, orderId: undefined });
 */
export function foresee(
	context: IExecuteSingleFunctions,
	run: Run,
	place: Place,
	write: InTurn & { readonly orderId: string | undefined },
): void {
	const tries = triesOf(context);
	const { asked, orders } = runOf(run);
	const order = write.orderId === undefined ? undefined : orderKey(write.orderId);
	if (order !== undefined) orders.add(order);
	const isSettled = (tries.key ?? tries.record ?? answered.get(tries)) !== undefined;
	if (!isSettled) asked.set(place.item, askedBy(place, run, write, order));
}

/** Writes that answer nothing yet: neither do they stand in what n8n has kept, nor have they answered in this Retry. */
function openOf(context: IExecuteSingleFunctions, run: Run, { writes, used }: Retry) {
	if (writes.length === 0) return [];
	const ofRun = runOf(run);
	const kept = (ofRun.kept ??= keptHashes(context));
	const { orders } = ofRun;
	return writes.filter(({ key, order, hashes }) => {
		const isKept = hashes.some((hash) => kept.has(hash.toLowerCase()));
		// An order answers only for itself.
		return !isKept && !used.has(key) && !orders.has(order ?? '');
	});
}

/** The decision about an item, together with those about all items of its run that could be foreseen. */
function decisionOf(
	context: IExecuteSingleFunctions,
	run: Run,
	retry: Retry,
	asked: Asked,
): Decision<ListedWrite> {
	const ofRun = runOf(run);
	const decided = ofRun.decided ?? new Map<number, Decision<ListedWrite>>();
	ofRun.decided = decided;
	const isAsForeseen = ofRun.asked.get(asked.item)?.call === asked.call;
	ofRun.asked.set(asked.item, asked);
	// A look-up may have failed before, and what it asks for may have been sent at another place.
	if (!isAsForeseen && decided.get(asked.item)?.is !== 'answer') decided.delete(asked.item);
	if (!decided.has(asked.item)) {
		const undecided = [...ofRun.asked.values()].filter(({ item }) => !decided.has(item));
		const taken = [...decided.values()].flatMap((one) => (one.is === 'answer' ? one.write : []));
		const answers = new Set(taken);
		const open = openOf(context, run, retry).filter((write) => !answers.has(write));
		for (const [item, decision] of decide(open, undecided)) decided.set(item, decision);
	}
	return decided.get(asked.item) ?? { is: 'send' };
}

/**
 * Decides an item of a Retry by what the node has sent in the retried execution.
 *
 * @param own the key of its place or order
 * @returns the recorded answer, or the key under which the item is sent; `undefined` if a checked list leaves the item to its
 * turn, because it is unknown whether it was sent
 * @throws what prevents the item, with the hash of the write at its place, if there is one
 * @example await decideInRetry(context, run, place, retry, { planned, pinned, own, callKey }) // { first: 'n8n-5f16…', at }
 */
export async function decideInRetry(
	context: IExecuteSingleFunctions,
	run: Run,
	place: Place,
	retry: Retry,
	{ planned, pinned, own, callKey }: InTurn & { readonly own: WriteKey; readonly callKey: string },
): Promise<WriteResult | WriteKey | undefined> {
	const tries = triesOf(context);
	const answer = answered.get(tries);
	const asked = askedBy(place, run, { planned, pinned }, own.orderId && own.first);
	const decided = answer
		? ({ is: 'answer', write: answer } as const)
		: decisionOf(context, run, retry, asked);
	tries.isDecided = true;
	const unknown = unknownCalls.get(callKey);
	// The list has decided it.
	if (unknown?.key !== undefined && retry.keys.get(unknown.key) === false)
		unknownCalls.delete(callKey);
	if (decided.is === 'send') {
		if (planned.status === 'rejected') throw planned.reason;
		return freeKey(own, retry);
	}
	const { execution, key, hashes, isUnknown, result } = decided.write;
	if (planned.status === 'rejected' && decided.is === 'conflict')
		throw afterEarlierTry(planned.reason, {
			state: 'unknown',
			reason: 'it was sent for this item',
			hashes,
		});
	if (run.ahead !== undefined && isUnknown && decided.is === 'answer') {
		run.unknown.add(place.item);
		return undefined;
	}
	if (run.ahead === undefined && decided.is === 'answer') {
		retry.used.add(key);
		answered.set(tries, decided.write);
	}
	const found = await result(context, planned);
	return { ...found, execution, ...(decided.is === 'conflict' && { conflict: 'rows' }) };
}
