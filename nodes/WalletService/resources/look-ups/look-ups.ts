import type { LookUps } from '../../contract/arguments';
import type { TokenFacts } from '../../contract/token-amount';
import type { Asker } from '../../request/credential/active-credential';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { decimalsOf, symbolInWords, symbolOf } from './token-facts';
import { resolveUsers } from './user-addresses';

/** What was looked up for a call. */
export interface LookedUp {
	/** Wallet address by user ID; a missing ID is an unknown user. */
	readonly addresses: ReadonlyMap<string, string>;
	/** What the called contract says of itself, if it was asked. */
	readonly token?: TokenFacts;
}

/** For a call that says everything itself. */
export const NOTHING: LookedUp = { addresses: new Map() };

/** The part of a planned call that says what to look up. */
interface Asking {
	readonly contractAddress: string;
	readonly lookUps: LookUps;
}

/** What has to be looked up for either of two. */
export function bothLookUps(one: LookUps, other: LookUps): LookUps {
	return {
		userIds: [...new Set([...one.userIds, ...other.userIds])],
		token: [...new Set([...one.token, ...other.token])],
	};
}

/** Whether a call says everything itself. */
export function needsNothing({ lookUps }: Asking): boolean {
	return lookUps.userIds.length === 0 && lookUps.token.length === 0;
}

async function askContract(
	asker: Asker,
	run: Run,
	client: ServiceClient,
	{ contractAddress: address, lookUps }: Asking,
): Promise<TokenFacts> {
	const asks = new Set(lookUps.token);
	const decimals = asks.has('decimals') ? await decimalsOf(asker, run, client, address) : undefined;
	const ask = asks.has('symbol') ? symbolOf : symbolInWords;
	const symbol = await ask(asker, run, client, address);
	return { address, decimals, symbol };
}

/**
 * Looks up what a call needs: each once per run, service and access token.
 *
 * @throws ServiceError when something cannot be looked up that decides what is called.
 */
export async function lookUp(
	asker: Asker,
	run: Run,
	client: ServiceClient,
	call: Asking,
): Promise<LookedUp> {
	const addresses = await resolveUsers(asker, run, call.lookUps.userIds, client);
	if (call.lookUps.token.length === 0) return { addresses };
	return { addresses, token: await askContract(asker, run, client, call) };
}
