import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { perRun } from '../../request/run/run';
import { executionIdOf } from '../../request/run/tool-call';
import { ExpiringMap } from '../../values/caches';
import type { WriteResult } from '../earlier-try';
import { keptResult } from '../earlier-try';
import { afterEarlierTry } from '../failures';
import type { Place, WriteKey } from '../identity';
import { canonicalCall } from '../identity';
import type { Labels } from '../ledger/labels';
import { positionOf } from '../ledger/labels';
import type { BegunAttempt, ListedWrite } from '../ledger/ledger';
import { beginAttempt } from '../ledger/service-ledger';
import { unknownCalls } from '../memory/process-memory';
import type { PinnedCredential } from '../pinned-credential';
import { pinCredential } from '../pinned-credential';
import { ask } from '../recorded-write';
import { keptHashes } from '../run-data';
import { triesOf } from '../tries';
import type { Asked, Decision } from './decide';
import { decide } from './decide';

/** A Retry of a node, as far as this process has run it. */
export interface Retry extends BegunAttempt {
	/** Keys of all writes before it. */
	readonly keys: ReadonlySet<string>;
	/** Keys of writes that have answered one of its items, or that it has sent. */
	readonly used: Set<string>;
}

/** By execution, node and account: the service is asked once. */
const retries = new ExpiringMap<Promise<Retry>>({
	...{ maxEntries: 100_000, holdsForMs: 24 * 60 * 60_000 },
});

/**
 * Begins a Retry at the service, once for each process.
 *
 * @throws ServiceError if the service does not list what was sent
 */
async function retryOf(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	labels: Labels,
	pinned: PinnedCredential,
): Promise<Retry> {
	const { node, execution } = labels;
	const name = JSON.stringify([node, execution, executionIdOf(context), pinned.key]);
	const known = retries.get(name);
	const beginning = async () => {
		const attempt = await beginAttempt(client, labels, pinned);
		const keys = new Set(attempt.writes.map(({ key }) => key));
		return { ...attempt, keys, used: new Set<string>() };
	};
	const begun = known ?? beginning();
	if (known === undefined) {
		retries.set(name, begun);
		begun.catch(() => retries.delete(name));
	}
	return await begun;
}

/** What is asked for by the items of a run, and decided for all of them together. */
interface RunOfRetry {
	readonly asked: Map<number, Asked>;
	readonly orders: Set<string>;
	decided?: Map<number, Decision<ListedWrite>>;
}

const runOf = perRun((): RunOfRetry => ({ asked: new Map(), orders: new Set() }));

/** Differs from the digest of any call. */
const UNREADABLE = 'unreadable';

function askedBy(place: Place, { input }: Run, { planned, pinned }: InTurn): Asked {
	const isReadable = planned.status === 'fulfilled' && pinned !== undefined;
	const call = isReadable ? canonicalCall(pinned.baseUrl, planned.value).digest : UNREADABLE;
	return { item: place.item, place: positionOf(place), input, call };
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
	const { key, record } = triesOf(context);
	const { asked, orders } = runOf(run);
	if (write.orderId !== undefined) orders.add(write.orderId);
	if (key === undefined && record === undefined) asked.set(place.item, askedBy(place, run, write));
}

/**
 * Whether the service has decided the items of a run by its list.
 *
 * @example (await decideInRetry(context, run, place, retry, write)) && isDecidedByList(run) // true
 */
export const isDecidedByList = (run: Run): boolean => runOf(run).decided !== undefined;

/** An item in its turn. */
interface InTurn {
	readonly planned: PromiseSettledResult<CheckedCall>;
	readonly pinned?: PinnedCredential | undefined;
}

/** Writes that answer nothing yet: neither do they stand in what n8n has kept, nor have they answered in this Retry. */
function openOf(context: IExecuteSingleFunctions, run: Run, { writes, used }: Retry) {
	if (writes.length === 0) return [];
	const kept = keptHashes(context);
	const { orders } = runOf(run);
	// An order answers only for itself.
	const isOfOrder = (key: string) => orders.has(key.replace(/^ \d+ /, ''));
	return writes.filter(
		({ key, answer }) => !kept.has(answer.hash.toLowerCase()) && !used.has(key) && !isOfOrder(key),
	);
}

/** The key of a place after those of earlier writes, each of which belongs to its own item. */
function freeKey(key: WriteKey, { keys, used }: Retry): WriteKey {
	if (key.orderId !== undefined) return key;
	let skipped = 0;
	while (keys.has(key.at(skipped)) || used.has(key.at(skipped))) skipped++;
	const at = (ordinal: number) => key.at(ordinal + skipped);
	return { first: at(0), at };
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
	const undecided = [...ofRun.asked.values()].filter(({ item }) => !decided.has(item));
	if (!decided.has(asked.item)) {
		const answers = [...decided.values()].flatMap((one) => (one.is === 'answer' ? one.write : []));
		const open = openOf(context, run, retry).filter((write) => !answers.includes(write));
		for (const [item, decision] of decide(open, undecided)) decided.set(item, decision);
	}
	return decided.get(asked.item) ?? { is: 'send' };
}

/**
 * Decides an item of a Retry by what the node has sent in the retried execution.
 *
 * @param own the key of its place or order
 * @returns the recorded answer, or the key under which the item is sent
 * @throws what prevents the item, with the hash of the write at its place, if there is one
 * @example await decideInRetry(context, run, place, retry, { planned, pinned, own, callKey }) // { first: 'n8n-5f16…', at }
 */
export async function decideInRetry(
	context: IExecuteSingleFunctions,
	run: Run,
	place: Place,
	retry: Retry,
	{ planned, pinned, own, callKey }: InTurn & { readonly own: WriteKey; readonly callKey: string },
): Promise<WriteResult | WriteKey> {
	const decided = decisionOf(context, run, retry, askedBy(place, run, { planned, pinned }));
	const unknown = unknownCalls.get(callKey);
	// The list has decided it.
	if (unknown?.key !== undefined && retry.keys.has(unknown.key)) unknownCalls.delete(callKey);
	if (decided.is === 'send') {
		if (planned.status === 'rejected') throw planned.reason;
		return freeKey(own, retry);
	}
	const { answer, execution, key } = decided.write;
	if (planned.status === 'rejected' && decided.is === 'conflict')
		throw afterEarlierTry(planned.reason, {
			...{ state: 'unknown', reason: 'it was sent for this item' },
			hashes: [answer.hash],
		});
	if (run.ahead === undefined && decided.is === 'answer') retry.used.add(key);
	const kept = await keptResult(context, planned, { answer });
	return { ...kept, execution, conflict: decided.is === 'conflict' ? 'rows' : 'none' };
}

/**
 * Begins a Retry as part of an item, whose own error comes first.
 *
 * @throws ServiceError with an unknown outcome if the service cannot be asked
 * @example (await beginForItem(context, client, labels, { planned, pinned })).writes // [], if nothing was sent
 */
export async function beginForItem(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	labels: Labels,
	{ planned, pinned }: InTurn,
): Promise<Retry> {
	const begin = async () =>
		await retryOf(context, client, labels, pinned ?? (await pinCredential(context)));
	return await ask(begin, true, planned.status === 'rejected' ? planned.reason : undefined);
}
