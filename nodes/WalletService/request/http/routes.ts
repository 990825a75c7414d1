import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/** One of the interface's routes, with `:names` for the parameters of its path. */
export interface Route {
	readonly method: 'GET' | 'POST';
	readonly url: `/v1/${string}`;
}

/**
 * The interface's routes (sections 4.1 to 4.6) that more than one file uses; a route of a single operation is in its own
 * file.
 */
export const ROUTES = {
	user: { method: 'GET', url: '/v1/users/:userId' },
	nativeBalance: { method: 'GET', url: '/v1/users/:userId/balance' },
	tokenBalance: { method: 'GET', url: '/v1/users/:userId/balance/:tokenAddress' },
	history: { method: 'GET', url: '/v1/users/:userId/history' },
	read: { method: 'POST', url: '/v1/contracts/method/read' },
	write: { method: 'POST', url: '/v1/contracts/method/write' },
} as const satisfies Record<string, Route>;

const PLACEHOLDER = /:([A-Za-z]+)/g;

/** @throws InvalidInputError when the value is empty, `.` or `..` (they would change the path), or an absolute URL. */
function encodePathSegment(value: string, parameter: string): string {
	if (value === '' || value === '.' || value === '..' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
		const hint = 'Enter the identifier itself: not empty, not a dot, not a web address';
		refuse(parameter, value, `${quote(value)} cannot be part of a path`, hint);
	}
	return encodeURIComponent(value);
}

/**
 * The `:names` of a route, without the colons.
 *
 * @example placeholdersOf('/v1/users/:userId/balance') // ['userId']
 */
export function placeholdersOf(route: string): string[] {
	return [...route.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/**
 * Fills in and encodes the `:names` of a route of the interface.
 *
 * @param route as the interface writes it, for example `/v1/users/:userId/balance/:tokenAddress`
 * @param values one checked value per name
 * @throws InvalidInputError for a value that cannot be part of a path.
 * @example fillRoute('/v1/users/:userId', { userId: 'DISCORD-1' }) // '/v1/users/DISCORD-1'
 */
export function fillRoute(route: string, values: Readonly<Record<string, string>>): string {
	return route.replace(PLACEHOLDER, (_match, name: string) =>
		encodePathSegment(values[name] ?? '', name),
	);
}
