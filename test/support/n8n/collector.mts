import { readObject, type JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import type { LocalServer } from '../../../tools/network/local-server.mts';
import { until } from '../until.mts';

/** A web server that keeps everything that workflows post to it; one path for each workflow. */
export interface Collector extends LocalServer {
	/** Everything posted to a path so far. */
	at(path: string): JsonObject[];
	/** Fulfilled once this many items have been posted to a path. */
	until(path: string, count: number): Promise<void>;
}

/** Starts a collector on any free port of this machine. */
export async function startCollector(): Promise<Collector> {
	const received = new Map<string, JsonObject[]>();
	const at = (path: string): JsonObject[] => received.get(path) ?? [];
	const server = await startJsonServer((path, body) => {
		received.set(path, [...at(path), readObject(body, 'an item')]);
		return {};
	});
	return {
		...server,
		at,
		until: async (path, count) => await until(async () => at(path).length >= count),
	};
}
