import { readObject, type JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import type { LocalServer } from '../../../tools/network/local-server.mts';

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
	const waiting = new Set<() => void>();
	const at = (path: string): JsonObject[] => received.get(path) ?? [];
	const server = await startJsonServer((path, body) => {
		received.set(path, [...at(path), readObject(body, 'an item')]);
		for (const check of waiting) check();
		return {};
	});
	return {
		...server,
		at,
		until: (path, count) =>
			new Promise((resolve) => {
				const check = (): void => {
					if (at(path).length < count) return;
					waiting.delete(check);
					resolve();
				};
				waiting.add(check);
				check();
			}),
	};
}
