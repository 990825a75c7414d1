import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../request/failure/service-error';
import type { Route } from '../request/http/routes';
import { settle } from '../values/settle';
import type { FilledPath } from './path-parameters';

/** The path that errors name: the route when there are several. */
export function pathOf(paths: readonly FilledPath[], route: Route): string {
	const [one] = paths;
	return one !== undefined && paths.length === 1 ? one.url : route.url;
}

/**
 * Asks for one path after the other.
 *
 * @throws what asking throws, with the user that it is about: nothing is given out that would look whole.
 */
export async function forEachPath(
	paths: readonly FilledPath[],
	ask: (path: FilledPath) => Promise<IDataObject[]>,
): Promise<IDataObject[]> {
	const answers: IDataObject[][] = [];
	for (const path of paths) {
		const result = await settle(ask(path));
		if (result.status === 'fulfilled') {
			answers.push(result.value);
			continue;
		}
		const error: unknown = result.reason;
		if (paths.length === 1 || !(error instanceof ServiceError)) throw error;
		throw error.ofUser(String(path.values.userId));
	}
	return answers.flat();
}
