import { wrongShape } from '../../request/answer';
import { CallFailure } from '../../request/call-failure';
import { fillRoute } from '../../request/path';
import { isItem } from '../../request/receive';
import { parseAddress } from '../../values/address';
import { InvalidInput } from '../../values/invalid-input';
import { USER_ROUTE } from '../user/route';

/** Asks the service for the JSON value behind a path. */
export type Ask = (path: string) => Promise<unknown>;

const NOT_FOUND = 404;

/** The address in a user's profile (interface, section 4.1); `undefined` when there is no such user. */
async function lookUp(userId: string, ask: Ask): Promise<string | undefined> {
	try {
		const user = await ask(fillRoute(USER_ROUTE, { userId }));
		if (!isItem(user)) throw wrongShape('a user with an address', user);
		return parseAddress(user.address, 'address');
	} catch (error) {
		if (error instanceof CallFailure && error.details.httpStatus === NOT_FOUND) return undefined;
		if (error instanceof InvalidInput) throw wrongShape('a user with an address', error.value);
		throw error;
	}
}

/** Wallet addresses by user id: each id is looked up once in a run, also when many items ask at the same time. */
export class UserAddresses {
	readonly #lookUps = new Map<string, Promise<string | undefined>>();

	/** The addresses of the users that the service knows; ids that it does not know are left out. */
	async of(userIds: readonly string[], ask: Ask): Promise<ReadonlyMap<string, string>> {
		const found = new Map<string, string>();
		for (const userId of userIds) {
			const running = this.#lookUps.get(userId) ?? lookUp(userId, ask);
			this.#lookUps.set(userId, running);
			const address = await running;
			if (address !== undefined) found.set(userId, address);
		}
		return found;
	}
}
