import { readActiveCredential } from '../request/credential/active-credential';
import { fillRoute, placeholdersOf } from '../request/http/path';
import type { Item } from '../request/run/item';
import { parseAddress } from '../values/address';
import { InvalidInputError } from '../values/invalid-input';
import { parseUserId } from '../values/user-id';
import { isLeftEmpty, parseUserIds } from '../values/user-ids';

type ReadValues = (item: Item) => Promise<readonly string[]>;

/** A route that is filled in, and the checked values of its `:names`. */
export interface FilledPath {
	readonly url: string;
	readonly values: Readonly<Record<string, string>>;
}

/** The users of User ID, or the credential's when it is left empty. */
async function readUserIds({ context, read }: Item): Promise<string[]> {
	const given = read('userId', '');
	if (!isLeftEmpty(given)) return parseUserIds(given, 'userId');
	const { userId } = await readActiveCredential(context);
	if (typeof userId === 'string' && !isLeftEmpty(userId)) return [parseUserId(userId, 'userId')];
	throw new InvalidInputError({
		parameter: 'userId',
		value: given,
		message: 'No user is given',
		hint: 'Enter a user ID in the node, or the user that the token belongs to in the credential',
	});
}

const readTokenAddress: ReadValues = async ({ read }) => [
	parseAddress(read('contractAddress', ''), 'contractAddress'),
];

/** Which parameter stands behind a `:name` of the interface's routes. */
const READERS: Readonly<Record<string, ReadValues>> = {
	userId: readUserIds,
	tokenAddress: readTokenAddress,
};

/**
 * Fills the `:names` of a route from the item's parameters, checked and encoded: one path for each user.
 *
 * @throws InvalidInputError
 */
export async function fillPaths(route: string, item: Item): Promise<FilledPath[]> {
	let filled: Record<string, string>[] = [{}];
	for (const name of placeholdersOf(route)) {
		const read = READERS[name];
		if (read === undefined) throw new Error(`No parameter stands behind :${name}`);
		const values = await read(item);
		filled = filled.flatMap((others) => values.map((value) => ({ ...others, [name]: value })));
	}
	return filled.map((values) => ({ url: fillRoute(route, values), values }));
}
