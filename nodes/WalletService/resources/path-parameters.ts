import { readActiveCredential } from '../request/credential/active-credential';
import { fillRoute, placeholdersOf } from '../request/http/routes';
import type { Item } from '../request/run/item';
import { isLeftEmpty, usersOf } from '../values/user-id';
import { parseToken } from './read-token';

type ReadValues = (item: Item) => Promise<readonly string[]>;

/** A route that is filled in, and the checked values of its `:names`. */
export interface FilledPath {
	readonly url: string;
	readonly values: Readonly<Record<string, string>>;
}

const readUserIds: ReadValues = async ({ context, read }) => {
	const given = read('userId', '');
	const own = isLeftEmpty(given) ? (await readActiveCredential(context)).userId : undefined;
	return usersOf(given, own, 'userId');
};

const readTokenAddress: ReadValues = async ({ read }) => [parseToken(read('token', ''))];

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
