import { ServiceError } from '../../request/failure/service-error';
import { isStatus, successOf } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { isHash } from '../../values/hashes';
import { isItem } from '../../values/objects';
import { recordedCall } from '../identity';
import type { PinnedCredential } from '../pinned-credential';
import type { Labels } from './labels';
import { readPlace } from './labels';
import type { BegunAttempt, ListedWrite } from './ledger';

const { url } = ROUTES.attempt;

function incomplete(): ServiceError {
	return new ServiceError({
		message: 'The service did not list what the retried execution has sent',
		hint: 'Retry the execution again; if this persists, ask the operator of the service',
		code: 'unreadable-answer',
	});
}

/** Reads an entry of the list; `undefined` if it will never take place. @throws ServiceError if it cannot be read */
function readEntry(baseUrl: string, entry: unknown): ListedWrite | undefined {
	if (!isItem(entry)) throw incomplete();
	const { key, place, hash } = entry;
	if (isStatus(entry.status, 'FAILED') && hash === undefined) return undefined;
	if (typeof key !== 'string' || !isHash(hash)) throw incomplete();
	const call = recordedCall(baseUrl, entry.tx, undefined).digest;
	return {
		...readPlace(typeof place === 'string' ? place : ''),
		key,
		call,
		answer: { ...entry, hash },
	};
}

/**
 * Begins an attempt of an execution at a service: from then on, it accepts nothing that an earlier attempt has on its way.
 *
 * @returns what the node has sent in the execution
 * @throws ServiceError unless the list is complete
 * @example (await beginAttempt(client, labels, await pinCredential(context))).attempt // '1', in the first Retry
 */
export async function beginAttempt(
	client: ServiceClient,
	{ node, execution }: Labels,
	{ baseUrl, getCredentials }: PinnedCredential,
): Promise<BegunAttempt> {
	return await client.send(
		{ ...ROUTES.attempt, body: JSON.stringify({ node, execution }) },
		{
			// Another attempt of the same Retry does no harm.
			isRepeatable: true,
			openCredential: async () => getCredentials,
			read: (received) => {
				const answer = successOf(received, url);
				const { attempt, writes } = isItem(answer) ? answer : {};
				if (!Array.isArray(writes) || !Number.isSafeInteger(attempt)) throw incomplete();
				const listed = writes.flatMap((entry) => readEntry(baseUrl, entry) ?? []);
				return { attempt: String(attempt), writes: listed };
			},
		},
	);
}
