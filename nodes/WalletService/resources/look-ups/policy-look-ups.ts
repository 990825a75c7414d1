import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { GetCredentials } from '../../request/credential/shared-credential';
import { deriveContext } from '../../request/credential/shared-credential';
import { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import type { PolicyLookUps } from '../../writes/policy/policy-facts';
import { parseDecimals } from '../../values/decimal';
import { decimalsOf, kindOf, readFact } from './token-facts';
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
	const client = new ServiceClient(context, deriveContext(run, { throttle: run.besideWrites }));
	const isChecked = run.ahead !== undefined;
	const kind = async (token: string) =>
		isChecked
			? await client.once(['kind', token], async () => await kindOf(token, client))
			: await kindOf(token, client);
	return {
		wallet: async (userId, isShared = isChecked) => {
			if (!isShared) return (await lookUpUser(userId, client)).address;
			const user = await knownUser(userId, client);
			if (user === undefined) throw new Error('the service does not know this user');
			return user.address;
		},
		decimals: async (token) => {
			if (isChecked) return await decimalsOf(token, client);
			const decimals = await readFact('decimals', token, client);
			return decimals === undefined ? undefined : parseDecimals(decimals);
		},
		isNft: async (token) => (await kind(token)) === 'NFT',
		isItems: async (token) => (await kind(token)) === 'items',
		symbol: async (token) => await readFact('symbol', token, client).catch(() => undefined),
	};
}
