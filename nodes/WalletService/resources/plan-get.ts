import type { IDataObject } from 'n8n-workflow';

import type { Plan } from '../request/run/plan';
import { answerItems, readSimplify } from './answer-items';
import { forEachPath, pathOf } from './each-path';
import { fillPaths } from './path-parameters';

/** @param values checked values of the `:names` of the route */
export type SimplifyGet = (
	answer: unknown,
	values: Readonly<Record<string, string>>,
) => IDataObject[];

/** The plan of an operation that gets the value at a path, for each user that the item names. */
export function planGet(simplify: SimplifyGet): Plan {
	return async (item, _run, route) => {
		const isSimple = readSimplify(item.read);
		const paths = await fillPaths(route.url, item);
		return {
			url: pathOf(paths, route),
			send: async (client) =>
				await forEachPath(paths, async ({ url, values }) =>
					answerItems(
						await client.get(url),
						isSimple ? (answer) => simplify(answer, values) : undefined,
					),
				),
		};
	};
}
