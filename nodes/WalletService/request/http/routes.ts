import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/** A route of the interface, with `:names` for the parameters in its path. */
export interface Route {
	readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
	readonly url: `/v1/${string}`;
}

/** The routes of the interface (sections 4.1 to 4.6). */
export const ROUTES = {
	user: { method: 'GET', url: '/v1/users/:userId' },
	nativeBalance: { method: 'GET', url: '/v1/users/:userId/balance' },
	tokenBalance: { method: 'GET', url: '/v1/users/:userId/balance/:tokenAddress' },
	history: { method: 'GET', url: '/v1/users/:userId/history' },
	read: { method: 'POST', url: '/v1/contracts/method/read' },
	write: { method: 'POST', url: '/v1/contracts/method/write' },
	/** Beyond the interface, like the next ones: what a service offers (see `service-description.ts`). */
	service: { method: 'GET', url: '/v1/service' },
	keyedWrite: { method: 'PUT', url: '/v1/writes/:key' },
	writeUnderKey: { method: 'GET', url: '/v1/writes/:key' },
	fence: { method: 'DELETE', url: '/v1/writes/:key' },
	attempt: { method: 'POST', url: '/v1/attempts' },
	writes: { method: 'GET', url: '/v1/writes' },
	transaction: { method: 'GET', url: '/v1/transactions/:hash' },
} as const satisfies Record<string, Route>;

const PLACEHOLDER = /:([A-Za-z]+)/g;

/** @throws InvalidInputError if the value is empty, `.` or `..` (they would change the path), or an absolute URL. */
function encodePathSegment(value: string, parameter: string): string {
	if (value === '' || value === '.' || value === '..' || /^[a-z][a-z0-9+.-]*:\/\//i.test(value)) {
		const hint = 'Enter the ID itself; it cannot be empty, "." or "..", or a URL';
		refuse(parameter, `${quote(value)} cannot be part of a path`, hint);
	}
	return encodeURIComponent(value);
}

/** The names in a route, without their colons. @example placeholdersOf('/v1/users/:userId/balance') // ['userId'] */
export function placeholdersOf(route: string): string[] {
	return [...route.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

/**
 * Replaces the `:names` of a route with encoded values.
 *
 * @param route for example `/v1/users/:userId/balance/:tokenAddress`
 * @param values one checked value per name
 * @throws InvalidInputError for a value that cannot be part of a path.
 * @example fillRoute('/v1/users/:userId', { userId: 'DISCORD-1' }) // '/v1/users/DISCORD-1'
 */
export function fillRoute(route: string, values: Readonly<Record<string, string>>): string {
	return route.replace(PLACEHOLDER, (_match, name: string) =>
		encodePathSegment(values[name] ?? '', name),
	);
}

/**
 * The path of a write under a key. Any key can be part of it: an Order ID is neither empty nor `.` or `..`.
 *
 * @example keyedUrl('INV/7') // '/v1/writes/INV%2F7'
 */
export const keyedUrl = (key: string): string =>
	ROUTES.keyedWrite.url.replace(':key', encodeURIComponent(key));
