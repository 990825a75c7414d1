import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../request/run/plan';
import { answerItems, readSimplify } from './answer-items';
import { fillPath } from './path-parameters';

/** @param values checked values of the `:names` of the route */
export type SimplifyGet = (
	answer: unknown,
	values: Readonly<Record<string, string>>,
) => IDataObject[];

/** The plan of an operation that gets the value at a path. */
export function planGet(simplify: SimplifyGet): Plan {
	return async (item, _run, route) => {
		const isSimple = readSimplify(item.read);
		const { url, values } = await fillPath(route.url, item);
		const simplifyHere = isSimple ? (answer: unknown) => simplify(answer, values) : undefined;
		return { url, send: async (client) => answerItems(await client.get(url), simplifyHere) };
	};
}
