import { ServiceError } from '../../request/failure/service-error';
import type { ServiceClient } from '../../request/http/service-client';
import { isHash } from '../../values/hashes';
import { settle } from '../../values/settle';
import { earlierResult } from '../result';
import type { Place } from '../place';
import { recordedCall } from '../canonical-call';
import { fence } from '../send/state-of-key';
import { orderOf } from '../order-key';
import { records, sentWrites } from './process-memory';
import type { KeptWrite } from './process-records';
import { ScopedMap } from './process-records';
import type { PinnedCredential } from '../pinned-credential';
import { accountOf, isOfAccount } from '../account';
import { positionOf } from './labels';
import type { BegunAttempt, ListedWrite } from './ledger';

/** The newest attempt of each node, by execution. */
const attempts = new ScopedMap<number>(24 * 60 * 60_000);

type OfNode = Pick<Place, 'scope' | 'node'>;

function toListed({ key, place, input, call, record }: KeptWrite): ListedWrite {
	const isUnknown = record.state === 'unknown';
	const { hash } = isUnknown ? {} : Object(record.answer);
	return {
		key,
		order: orderOf(key),
		place: positionOf(place),
		input,
		call,
		isUnknown,
		execution: record.execution,
		hashes: isUnknown ? record.hashes : [hash].filter(isHash),
		result: async (context, planned) => await earlierResult(context, planned, record),
	};
}

/** Lets a service that keeps writes decide what a node may have sent. What it cannot decide stays unknown. */
async function decideUnknown(
	client: ServiceClient,
	{ scope, node }: OfNode,
	pinned: PinnedCredential,
): Promise<void> {
	const { baseUrl, userId, getCredentials } = pinned;
	for (const { record, ...write } of records.ofNode({ scope, node })) {
		if (record.state !== 'unknown' || !record.key || !isOfAccount(record, pinned)) continue;
		const openCredential = async () => getCredentials;
		const decided = await settle(fence(client, record.key, { openCredential }));
		// The next ones would wait as long for nothing.
		if (decided.status === 'rejected') return;
		if (decided.value === undefined) {
			records.remove(scope, write.key);
			sentWrites.noteNeverSent(scope, accountOf(pinned), new Set([record.key]));
			continue;
		}
		const { answer, sentAtMs } = decided.value;
		const recorded = recordedCall(baseUrl, answer.tx, undefined);
		// Some services leave the call out.
		const own = record.call ?? { digest: write.call, shown: {} };
		const call = recorded.digest === '' ? own : recorded;
		const submittedAt = String(answer.submittedAt ?? '');
		const { execution, hashes: earlierHashes } = record;
		const done = { answer, submittedAt, sentAtMs, execution, userId, earlierHashes };
		records.keep({ ...write, call: call.digest }, { ...done, state: 'answered', call });
	}
}

/**
 * Begins an attempt of an execution in this process, for services that list no writes: from then on, nothing is sent that an
 * earlier attempt still has waiting.
 *
 * @param isKept whether the service keeps writes, and so decides what may have been sent
 * @returns what the node has sent in the execution, or may have sent
 * @example (await beginInProcess(client, placeOf(context), await pinCredential(context), false)).attempt // '1'
 */
export async function beginInProcess(
	client: ServiceClient,
	{ scope, node }: OfNode,
	pinned: PinnedCredential,
	isKept: boolean,
): Promise<BegunAttempt> {
	const ofExecution = attempts.active(scope);
	const attempt = (ofExecution.get(node) ?? 0) + 1;
	ofExecution.set(node, attempt);
	if (isKept) await decideUnknown(client, { scope, node }, pinned);
	const writes = records.ofNode({ scope, node }).map(toListed);
	return { attempt: String(attempt), writes, keys: writes.map(({ key }) => key) };
}

/**
 * Checks that no further attempt of an execution has begun.
 *
 * @param attempt the number of the own one; none in the first execution
 * @throws ServiceError
 * @example assertNewest({ scope: 'execution 1', node: 'Pay again' }) // undefined
 */
export function assertNewest({ scope, node }: OfNode, attempt = '0'): void {
	const newest = attempts.find(scope)?.get(node) ?? 0;
	if (String(newest) === attempt) return;
	throw new ServiceError({
		message: 'Not sent: a Retry of this execution has begun since',
		hint: 'Nothing was sent now. The Retry reports what was paid',
		code: 'not-sent',
		state: 'refused',
	});
}
