import type { IDataObject } from 'n8n-workflow';

import type { Route } from '../request/http/routes';
import type { Plan } from '../request/run/plan';
import { answerItems, readSimplify } from './answer-items';
import { forEachPath, pathOf } from './each-path';
import { fillPaths } from './path-parameters';

/** @param values checked values behind the `:names` of the route */
export type SimplifyGet = (
	answer: unknown,
	values: Readonly<Record<string, string>>,
) => IDataObject[];

/** The plan of an operation that asks for what stands behind a path, for each user of an item. */
export function planGet({ url: route }: Route, simplify: SimplifyGet): Plan {
	return async (item) => {
		const isSimple = readSimplify(item.read);
		const paths = await fillPaths(route, item);
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
