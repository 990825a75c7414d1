import { ServiceError } from '../../request/failure/service-error';
import { ExpiringMap } from '../../values/caches';

/** The calls for which services have named transactions, by base URL and hash. */
const callsByHash = new ExpiringMap<string>({ maxEntries: 100_000, holdsForMs: 24 * 60 * 60_000 });

/**
 * Checks that a service has not named a transaction for another call before: then it proves nothing about this one.
 *
 * @param digest identifies the call
 * @throws ServiceError with an unknown outcome
 * @example assertOwnHash('https://wallet.example.com', `0x${'ab'.repeat(32)}`, 'call 1') // undefined
 */
export function assertOwnHash(baseUrl: string, hash: string, digest: string): void {
	const key = JSON.stringify([baseUrl, hash.toLowerCase()]);
	const known = callsByHash.get(key) ?? digest;
	callsByHash.set(key, known);
	if (known === digest) return;
	throw new ServiceError({
		message: `The service has named transaction ${hash} for another write before, so it proves nothing about this one`,
		hint: "Check the wallet's history, and ask the operator of the service",
		code: 'not-confirmed',
		state: 'unknown',
		hashes: [hash],
	});
}
