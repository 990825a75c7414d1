import { ServiceError } from '../../request/failure/service-error';
import { isStatus, successOf } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { SECOND_MS } from '../../values/clock';
import { isHash } from '../../values/hashes';
import { isItem } from '../../values/objects';
import { keptResult } from '../result';
import { recordedCall } from '../canonical-call';
import { orderOf } from '../order-key';
import type { PinnedCredential } from '../pinned-credential';
import type { Labels } from './labels';
import { callLabel, readPlace } from './labels';
import type { BegunAttempt, ListedWrite } from './ledger';

function incomplete(): ServiceError {
	return new ServiceError({
		message: 'The service did not list what was sent before',
		hint: 'Run it again; if this persists, ask the operator of the service',
		code: 'unreadable-answer',
	});
}

/** Reads an entry of the list; `undefined` if it will never take place. @throws ServiceError if it cannot be read */
function readWrite(baseUrl: string, entry: unknown): ListedWrite | undefined {
	if (!isItem(entry)) throw incomplete();
	const { key, place, hash } = entry;
	if (isStatus(entry.status, 'FAILED') && hash === undefined) return undefined;
	if (typeof key !== 'string' || !isHash(hash)) throw incomplete();
	const call = recordedCall(baseUrl, entry.tx, undefined).digest;
	if (call === '') throw incomplete();
	const answer = { ...entry, hash };
	return {
		...readPlace(typeof place === 'string' ? place : ''),
		key,
		order: orderOf(key),
		call,
		hashes: [hash],
		isUnknown: false,
		result: async (context, planned) => await keptResult(context, planned, { answer }),
	};
}

/** Reads a list. @throws ServiceError unless it is complete */
function readWrites(answer: unknown): readonly unknown[] {
	const { writes } = isItem(answer) ? answer : {};
	if (!Array.isArray(writes)) throw incomplete();
	return writes;
}

/**
 * Begins an attempt of an execution at a service: from then on, it accepts nothing that an earlier attempt has on its way.
 *
 * @returns what the node has sent in the execution; `undefined` if another user has sent some of it
 * @throws ServiceError unless the list is complete
 * @example (await beginAttempt(client, labels, await pinCredential(context)))?.attempt // '1', in the first Retry
 */
export async function beginAttempt(
	client: ServiceClient,
	{ node, execution }: Labels,
	{ baseUrl, getCredentials }: PinnedCredential,
): Promise<BegunAttempt | undefined> {
	return await client.send(
		{ ...ROUTES.attempt, body: JSON.stringify({ node, execution }) },
		{
			// Another attempt of the same Retry does no harm.
			isRepeatable: true,
			openCredential: async () => getCredentials,
			read: (received) => {
				if (isItem(received.value) && received.value.code === 'other_user') return undefined;
				const answer = successOf(received, ROUTES.attempt.url);
				const { attempt } = isItem(answer) ? answer : {};
				if (!Number.isSafeInteger(attempt)) throw incomplete();
				const entries = readWrites(answer);
				const writes = entries.flatMap((entry) => readWrite(baseUrl, entry) ?? []);
				const keys = entries.flatMap((entry) => (isItem(entry) ? String(entry.key) : []));
				return { attempt: String(attempt), writes, keys };
			},
		},
	);
}

/** Which equal calls are asked for. */
interface EqualCalls {
	readonly digest: string;
	readonly withinMs: number;
	readonly isOfOthers: boolean;
}

/**
 * Asks a service for the equal calls of a node.
 *
 * @param digest of the call
 * @param withinMs how long ago at most, by the clock of the service
 * @param isOfOthers whether only those of other executions count
 * @returns the newest first
 * @throws ServiceError unless the list is complete
 * @example await equalCalls(client, labels, { digest, withinMs: 60_000, isOfOthers: true }, await pinCredential(context)) // [], if there are none
 */
export async function equalCalls(
	client: ServiceClient,
	{ node, execution }: Labels,
	{ digest, withinMs, isOfOthers }: EqualCalls,
	{ baseUrl, getCredentials }: PinnedCredential,
): Promise<ListedWrite[]> {
	const { method, url } = ROUTES.writes;
	const within = String(Math.ceil(withinMs / SECOND_MS));
	const query = new URLSearchParams({ node, call: callLabel(digest), within }).toString();
	const counts = (entry: unknown) =>
		!isOfOthers || (isItem(entry) && entry.execution !== execution);
	return await client.send(
		{ method, url: `${url}?${query}` },
		{
			openCredential: async () => getCredentials,
			read: (received) =>
				readWrites(successOf(received, url))
					.filter(counts)
					.flatMap((entry) => readWrite(baseUrl, entry) ?? [])
					.filter(({ call }) => call === digest),
		},
	);
}
