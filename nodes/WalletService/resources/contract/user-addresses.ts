import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { readActiveCredential } from '../../request/active-credential';
import { wrongShape } from '../../request/answer';
import { CallFailure } from '../../request/call-failure';
import { exchange } from '../../request/exchange';
import type { NodeRun } from '../../request/node-run';
import type { SendInTurn } from '../../request/prepare';
import { fillRoute } from '../../request/path';
import { isItem } from '../../request/receive';
import { isAddress } from '../../values/address';
import { USER_ROUTE } from '../user/route';

/** Asks the service for the JSON value behind a path. */
type Ask = (path: string) => Promise<unknown>;

const NOT_FOUND = 404;

/** The address in a user's profile (interface, section 4.1); `undefined` when there is no such user. */
async function lookUp(userId: string, ask: Ask): Promise<string | undefined> {
	const [result] = await Promise.allSettled([ask(fillRoute(USER_ROUTE, { userId }))]);
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		if (error instanceof CallFailure && error.details.httpStatus === NOT_FOUND) return undefined;
		throw error;
	}
	const user = result.value;
	if (!isItem(user) || !isAddress(user.address)) throw wrongShape('a user with an address', user);
	return user.address;
}

/** Look-ups of a run by service, token and user id: each is made once, also when many items ask at the same time. */
type LookUps = Map<string, Promise<string | undefined>>;

const lookUpsOfRuns = new WeakMap<NodeRun, LookUps>();

/** Makes a look-up unless it is under way or made; one that failed says nothing of the user and is made again. */
async function lookUpOnce(
	lookUps: LookUps,
	key: string,
	make: () => Promise<string | undefined>,
): Promise<string | undefined> {
	const known = lookUps.get(key);
	if (known !== undefined) return await known;
	const made = make();
	lookUps.set(key, made);
	const [result] = await Promise.allSettled([made]);
	if (result.status === 'rejected') lookUps.delete(key);
	return await made;
}

/**
 * The wallet addresses of users, looked up in an item's turn, once per run and id; ids that the service does not know are
 * left out.
 *
 * @throws CallFailure when a user cannot be looked up.
 */
export async function resolveUsers(
	context: IExecuteSingleFunctions,
	run: NodeRun,
	userIds: readonly string[],
	send: SendInTurn,
): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	if (userIds.length === 0) return found;
	const lookUps: LookUps = lookUpsOfRuns.get(run) ?? new Map();
	lookUpsOfRuns.set(run, lookUps);
	// By a credential with expressions, items can belong to different services, and to applications with wallets of their own.
	const { baseUrl, accessToken } = await readActiveCredential(context);
	const ask = async (url: string) =>
		await send(async () => await exchange(context, { method: 'GET', url }, run.settings));
	for (const userId of userIds) {
		const key = JSON.stringify([baseUrl, accessToken, userId]);
		const address = await lookUpOnce(lookUps, key, async () => await lookUp(userId, ask));
		if (address !== undefined) found.set(userId, address);
	}
	return found;
}
