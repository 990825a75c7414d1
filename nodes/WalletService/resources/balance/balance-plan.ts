import type { Route } from '../../request/http/routes';
import type { Plan } from '../../request/run/plan';
import { planGet } from '../plan-get';
import { compare, readComparison } from './comparison';
import { simplifyBalance } from './simplify-balance';

/** The plan of an operation that asks for balances: they are compared, and dropped, when the item asks for it. */
export function planBalance(route: Route): Plan {
	const planAll = planGet(route, simplifyBalance);
	return async (item, run) => {
		const comparison = readComparison(item.read);
		const planned = await planAll(item, run);
		if (comparison === undefined) return planned;
		const { url, send } = planned;
		return {
			url,
			send: async (client) => (await send(client)).flatMap((json) => compare(json, comparison)),
		};
	};
}
