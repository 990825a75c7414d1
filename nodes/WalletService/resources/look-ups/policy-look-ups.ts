import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { GetCredentials } from '../../request/credential/shared-credential';
import { deriveContext } from '../../request/credential/shared-credential';
import { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import type { PolicyLookUps } from '../../writes/policy/policy';
import { parseDecimals } from '../../values/decimal';
import { kindOf, readFact } from './token-facts';
import { lookUpUser } from './user-addresses';

/**
 * Looks up the facts that spending limits depend on, fresh for each write: shared answers of a run may be stale.
 *
 * @param getCredentials reads the credential that contains the policy
 */
export function policyLookUps(
	context: IExecuteSingleFunctions,
	run: Run,
	getCredentials: GetCredentials,
): PolicyLookUps {
	const client = new ServiceClient(deriveContext(context, { getCredentials }), run);
	return {
		wallet: async (userId) => (await lookUpUser(userId, client)).address,
		decimals: async (token) => {
			const decimals = await readFact('decimals', token, client);
			return decimals === undefined ? undefined : parseDecimals(decimals);
		},
		isNft: async (token) => (await kindOf(token, client)) === 'NFT',
		symbol: async (token) => await readFact('symbol', token, client).catch(() => undefined),
	};
}
