/** One of the interface's routes, with `:names` for the parameters of its path. */
export interface Route {
	readonly method: 'GET' | 'POST';
	readonly url: `/v1/${string}`;
}

/** The interface's routes (sections 4.1 to 4.6) that more than one file uses; that of a single operation stands in its own file. */
export const ROUTES = {
	user: { method: 'GET', url: '/v1/users/:userId' },
	nativeBalance: { method: 'GET', url: '/v1/users/:userId/balance' },
	tokenBalance: { method: 'GET', url: '/v1/users/:userId/balance/:tokenAddress' },
	history: { method: 'GET', url: '/v1/users/:userId/history' },
	read: { method: 'POST', url: '/v1/contracts/method/read' },
	write: { method: 'POST', url: '/v1/contracts/method/write' },
} as const satisfies Record<string, Route>;
