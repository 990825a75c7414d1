import { readActiveCredential } from '../request/credential/active-credential';
import { fillRoute, placeholdersOf } from '../request/http/path';
import type { Item } from '../request/run/item';
import { parseAddress } from '../values/address';
import { InvalidInputError } from '../values/invalid-input';
import { parseUserId } from '../values/user-id';

type ReadValue = (item: Item) => Promise<string>;

/** A route that is filled in, and the checked values of its `:names`. */
export interface FilledPath {
	readonly url: string;
	readonly values: Readonly<Record<string, string>>;
}

/** The node's User ID, or the credential's if it is left empty. */
async function readUserId({ context, read }: Item): Promise<string> {
	const given = read('userId', '');
	if (typeof given !== 'string' || given.trim() !== '') return parseUserId(given, 'userId');
	const { userId } = await readActiveCredential(context);
	if (typeof userId === 'string' && userId.trim() !== '') return parseUserId(userId, 'userId');
	throw new InvalidInputError({
		parameter: 'userId',
		value: given,
		message: 'No user is given',
		hint: 'Enter a user ID in the node, or the user that the token belongs to in the credential',
	});
}

const readTokenAddress: ReadValue = async ({ read }) =>
	parseAddress(read('contractAddress', ''), 'contractAddress');

/** Reads the parameter for each `:name` of the interface's routes. */
const READERS: Readonly<Record<string, ReadValue>> = {
	userId: readUserId,
	tokenAddress: readTokenAddress,
};

/** Fills the `:names` of a route from the item's parameters, checked and encoded. @throws InvalidInputError */
export async function fillPath(route: string, item: Item): Promise<FilledPath> {
	const values: Record<string, string> = {};
	for (const name of placeholdersOf(route)) {
		const read = READERS[name];
		if (read === undefined) throw new Error(`No parameter stands behind :${name}`);
		values[name] = await read(item);
	}
	return { url: fillRoute(route, values), values };
}
