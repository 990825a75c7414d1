import type { IDataObject } from 'n8n-workflow';

import { readAccount } from '../request/credential/account';
import { TOO_MANY_REQUESTS, UNAUTHORIZED } from '../request/failure/http-status';
import { ServiceError } from '../request/failure/service-error';
import { unexpectedAnswer } from '../request/http/answer';
import { fillRoute, placeholdersOf } from '../request/http/routes';
import type { ServiceClient } from '../request/http/service-client';
import type { Item } from '../request/run/item';
import type { Plan, PlannedRequest } from '../request/run/plan';
import { InvalidInputError } from '../values/invalid-input';
import { isItem } from '../values/objects';
import { usersOf } from '../values/user-id';
import { parseToken } from './read-token';

/** A filled-in route and the checked values of its `:names`. */
export interface FilledPath {
	readonly url: string;
	readonly values: Readonly<Record<string, string>>;
}

/** Readers of the values for each `:name` in a route. */
const READERS: Readonly<Record<string, (item: Item) => Promise<readonly string[]>>> = {
	userId: async ({ context, read }) =>
		await usersOf(
			read('userId', ''),
			async () => (await readAccount(context)).credential,
			'userId',
		),
	tokenAddress: async ({ read }) => await Promise.resolve([parseToken(read('token', ''))]),
};

/** Fills in the `:names` of a route with checked, encoded values: one path for each user. @throws InvalidInputError */
export async function fillPaths(route: string, item: Item): Promise<FilledPath[]> {
	let filled: Record<string, string>[] = [{}];
	for (const name of placeholdersOf(route)) {
		const read = READERS[name];
		if (read === undefined) throw new Error(`No reader for :${name}`);
		const values = await read(item);
		filled = filled.flatMap((others) => values.map((value) => ({ ...others, [name]: value })));
	}
	return filled.map((values) => ({ url: fillRoute(route, values), values }));
}

/** Whether a failure may concern only one user, so that requests for others can succeed. */
function isOfOneUser({ details: { code, httpStatus } }: ServiceError): boolean {
	const isOfAll = httpStatus === UNAUTHORIZED || httpStatus === TOO_MANY_REQUESTS;
	return !isOfAll && (code === 'unreadable-answer' || httpStatus !== undefined);
}

/**
 * Plans the requests of an item, one user after another. A failure names its user. If the run continues on errors and the
 * item has several users, the failure replaces that user's items; otherwise it is thrown, because partial output would
 * look complete.
 *
 * @throws InvalidInputError
 */
export async function planPaths(
	route: string,
	item: Item,
	ask: (client: ServiceClient, path: FilledPath) => Promise<IDataObject[]>,
): Promise<PlannedRequest> {
	const paths = await fillPaths(route, item);
	const only = paths.length === 1 ? paths[0] : undefined;
	const send = async (client: ServiceClient): Promise<(IDataObject | ServiceError)[]> => {
		const answers: (IDataObject | ServiceError)[][] = [];
		for (const path of paths) {
			const asking = ask(client, path).catch((error: unknown) => {
				if (!(error instanceof ServiceError)) throw error;
				const userId = String(path.values.userId);
				if (only !== undefined) throw error.with({ userId });
				const failure = error.ofUser(userId);
				if (!item.context.continueOnFail() || !isOfOneUser(failure)) throw failure;
				return [failure];
			});
			answers.push(await asking);
		}
		return answers.flat();
	};
	return { url: only?.url ?? route, send };
}

/** Converts an answer to simplified items. @param values checked values of the route's `:names` */
export type Simplify = (answer: unknown, values: Readonly<Record<string, string>>) => IDataObject[];

/** The failure to read an answer: the service is to blame for invalid values, not the user. */
export const unreadable = (error: unknown, answer: unknown): unknown =>
	error instanceof InvalidInputError
		? unexpectedAnswer(`valid values (${error.message})`, answer)
		: error;

/**
 * Converts an answer to items. Without `simplify`, the service's JSON is unchanged: one item for an object, one for each
 * entry of a list.
 * @throws ServiceError if its shape is not the interface's.
 */
export function answerItems(
	answer: unknown,
	simplify?: Simplify,
	values: Readonly<Record<string, string>> = {},
): IDataObject[] {
	try {
		if (simplify !== undefined) return simplify(answer, values);
	} catch (error) {
		throw unreadable(error, answer);
	}
	const items: unknown[] = Array.isArray(answer) ? answer : [answer];
	if (items.every(isItem)) return items;
	throw unexpectedAnswer('an object, or a list of objects', answer);
}

/** Plans one GET request for each user of the item. */
export function planGet(simplify: Simplify): Plan {
	return async (item, _run, { url: route, isSimple }) =>
		await planPaths(route, item, async (client, { url, values }) => {
			const answer = await client.get(url);
			return answerItems(answer, isSimple ? simplify : undefined, values);
		});
}
