import { readObject, type JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import { until } from '../until.mts';

/** Starts a web server that keeps everything that workflows post to it; one path for each workflow. */
export async function startCollector() {
	const received = new Map<string, JsonObject[]>();
	/** Everything posted to a path so far. */
	const at = (path: string): JsonObject[] => received.get(path) ?? [];
	const server = await startJsonServer((path, body) => {
		received.set(path, [...at(path), readObject(body, 'an item')]);
		return {};
	});
	return {
		...server,
		at,
		/** Fulfilled once this many items have been posted to a path. */
		until: async (path: string, count: number) => await until(async () => at(path).length >= count),
	};
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;
