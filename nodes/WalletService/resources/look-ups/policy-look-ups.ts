import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { GetCredentials } from '../../request/credential/shared-credential';
import { deriveContext } from '../../request/credential/shared-credential';
import { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import type { PolicyLookUps } from '../../writes/policy/policy-facts';
import { Once } from '../../values/caches';
import { decimalsOf, kindOnce, readFact } from './token-facts';
import { knownUser, lookUpUser } from './user-addresses';

/**
 * Looks up the facts that spending limits depend on, fresh for each attempt of a write: shared answers of a run may be
 * stale. They suffice while a list is checked, because each of its writes is checked again.
 *
 * @param getCredentials reads the credential that contains the policy
 */
export function policyLookUps(
	given: IExecuteSingleFunctions,
	run: Run,
	getCredentials: GetCredentials,
): PolicyLookUps {
	const context = deriveContext(given, { getCredentials });
	// The write holds the only turn of its run while it is attempted.
	const beside = deriveContext(run, { throttle: run.besideWrites });
	const shared = new ServiceClient(context, beside);
	const fresh = new ServiceClient(context, deriveContext(beside, { once: new Once() }));
	const client = run.ahead === undefined ? fresh : shared;
	return {
		wallet: async (userId, isShared = false) => {
			if (!isShared && client === fresh) return (await lookUpUser(userId, fresh)).address;
			const user = await knownUser(userId, shared);
			if (user === undefined) throw new Error('the service does not know this user');
			return user.address;
		},
		decimals: async (token) => await decimalsOf(token, client),
		isNft: async (token) => (await kindOnce(token, client)) === 'NFT',
		isItems: async (token) => (await kindOnce(token, client)) === 'items',
		symbol: async (token) => await readFact('symbol', token, client).catch(() => undefined),
	};
}
