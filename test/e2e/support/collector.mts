import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { JsonObject } from '../../../workbench/src/json.mts';
import { readObject } from '../../../workbench/src/json.mts';

/** A web server that keeps what workflows post to it. */
export interface Collector {
	/** Address that items are posted to; one path for each workflow. */
	url: string;
	/** Everything that came to a path so far. */
	at(path: string): JsonObject[];
	/** Fulfilled once so many items have come to a path. */
	until(path: string, count: number): Promise<void>;
	stop(): Promise<void>;
}

/** Starts a collector on any free port of this machine. */
export async function startCollector(): Promise<Collector> {
	const received = new Map<string, JsonObject[]>();
	const waiting = new Set<() => void>();
	const at = (path: string): JsonObject[] => received.get(path) ?? [];
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const path = request.url ?? '';
			received.set(path, [...at(path), readObject(JSON.parse(body), 'an item')]);
			response.setHeader('content-type', 'application/json').end('{}');
			for (const check of waiting) check();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
	return {
		url: `http://127.0.0.1:${address.port}`,
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
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
