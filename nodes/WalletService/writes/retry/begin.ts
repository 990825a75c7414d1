import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { ServiceClient } from '../../request/http/service-client';
import type { ServiceDescription } from '../../request/http/service-description';
import type { Run } from '../../request/run/run';
import { perRun } from '../../request/run/run';
import { executionIdOf } from '../../request/run/tool-call';
import { ExpiringMap } from '../../values/caches';
import { paidFromOther } from './known-account';
import type { Place } from '../place';
import type { Labels } from '../ledger/labels';
import type { Retry } from '../ledger/ledger';
import { beginInProcess } from '../ledger/process-ledger';
import { beginAttempt } from '../ledger/service-ledger';
import { sentWrites } from '../ledger/process-memory';
import type { PinnedCredential } from '../pinned-credential';
import { accountName, accountOf, withUser } from '../account';
import { pinCredential } from '../pinned-credential';
import { ask } from '../ask-service';

/** An item in its turn. */
export interface InTurn {
	readonly planned: PromiseSettledResult<CheckedCall>;
	readonly pinned?: PinnedCredential | undefined;
}

/**
 * By execution, node and account: the ledger is asked once. Each run keeps its own, so that one that is dropped between two runs
 * is asked for again, as on another worker: what n8n has kept of the earlier runs is settled.
 */
const retries = new ExpiringMap<Promise<Retry | undefined>>({
	maxEntries: 1000,
	holdsForMs: 60 * 60_000,
});

/** The account with which a Retry has begun, by execution and node: the attempt of another one would overtake its own. */
const accounts = new ExpiringMap<string>({ maxEntries: 1000, holdsForMs: 60 * 60_000 });

const begunOf = perRun(() => new Map<string, Promise<Retry | undefined>>());

/**
 * Begins a Retry, once for each process; `undefined` if another account has sent some of its execution.
 *
 * @throws ServiceError if its ledger does not list what was sent
 */
async function retryOf(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	{ place, labels, offer: { keepsWrites: isKept }, run }: Whose,
	pinned: PinnedCredential,
): Promise<Retry | undefined> {
	const { scope, node } = place;
	const ofNode = [scope, node, executionIdOf(context)];
	const account = accountName(accountOf(pinned));
	const name = JSON.stringify([...ofNode, account]);
	const other = accounts.get(JSON.stringify(ofNode));
	if (other !== undefined && other !== account) return undefined;
	const ofRun = begunOf(run);
	const known = ofRun.get(name) ?? retries.get(name);
	const beginning = async () => {
		// Where the service lists writes, this process has those of other executions that stand for its items.
		const own = await beginInProcess(client, place, pinned, isKept);
		const listed = labels ? await beginAttempt(client, labels, pinned) : { ...own, writes: [] };
		if (listed === undefined) return undefined;
		const writes = [...listed.writes, ...own.writes];
		const keys = new Map(listed.keys.map((key) => [key, false]));
		for (const { key, isUnknown } of writes) keys.set(key, isUnknown);
		const sent = new Set(writes.map(({ key }) => key));
		const neverSent = new Set(listed.keys.filter((key) => !sent.has(key)));
		sentWrites.noteNeverSent(scope, accountOf(pinned), neverSent);
		return { attempt: listed.attempt, writes, keys, used: new Set<string>() };
	};
	const begun = known ?? beginning();
	if (known === undefined) {
		retries.set(name, begun);
		begun.catch(() => retries.delete(name));
	}
	const retry = await begun;
	if (retry) accounts.set(JSON.stringify(ofNode), account);
	ofRun.set(name, begun);
	return retry;
}

/** Whose Retry it is. */
interface Whose {
	readonly place: Place;
	/** Present if the service lists its writes. */
	readonly labels: Labels | undefined;
	/** What the service says of itself: one that keeps writes decides what may have been sent. */
	readonly offer: ServiceDescription;
	readonly run: Run;
}

/**
 * Begins a Retry as part of an item, whose own error comes first.
 *
 * @throws ServiceError with an unknown outcome if the ledger cannot be asked, or another account has sent some of it
 * @example (await beginForItem(context, client, { place, labels, offer, run }, { planned, pinned })).writes // [], if nothing was sent
 */
export async function beginForItem(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	whose: Whose,
	{ planned, pinned }: InTurn,
): Promise<Retry> {
	const begin = async () =>
		await retryOf(
			context,
			client,
			whose,
			pinned ?? withUser(await pinCredential(context), whose.offer),
		);
	const unsent: unknown = planned.status === 'rejected' ? planned.reason : undefined;
	const begun = await ask(begin, true, unsent);
	if (begun === undefined) throw paidFromOther();
	return begun;
}
