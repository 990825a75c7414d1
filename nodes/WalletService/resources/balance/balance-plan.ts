import type { Plan } from '../../request/run/plan';
import { planGet } from '../plan-get';
import { compare, readComparison } from './comparison';
import { simplifyBalance } from './simplify-balance';

const planAll = planGet(simplifyBalance);

/** The plan of an operation that gets balances, which are compared and dropped as the item says. */
export const planBalance: Plan = async (item, run, input) => {
	const comparison = readComparison(item.read, input.isSimple);
	const planned = await planAll(item, run, input);
	if (comparison === undefined) return planned;
	const { url, send } = planned;
	return {
		url,
		send: async (client) => (await send(client)).flatMap((json) => compare(json, comparison)),
	};
};
