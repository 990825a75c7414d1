import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An answer as it goes over the wire: status 200 and JSON unless given. */
export interface ScriptedAnswer {
	readonly status?: number;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body: string;
}

/** A request that reached the service. */
export interface ScriptedRequest {
	readonly method: string;
	/** Path as it is on the wire. */
	readonly path: string;
	readonly authorization: string;
	readonly body: string;
}

type Script = (request: ScriptedRequest) => ScriptedAnswer | Promise<ScriptedAnswer>;

async function requestOf(message: IncomingMessage): Promise<ScriptedRequest> {
	const { method = '', url = '', headers } = message;
	const { authorization = '' } = headers;
	return { method, path: url, authorization, body: await text(message) };
}

/** A service that answers what a test says, for answers that no real one would give. */
export class ScriptedService {
	/** How the next requests are answered. */
	script: Script = () => ({ body: '{}' });

	readonly requests: ScriptedRequest[] = [];

	readonly #server: Server;

	private constructor() {
		this.#server = createServer((message, response) => {
			void requestOf(message).then(async (request) => {
				this.requests.push(request);
				const { status = 200, headers, body } = await this.script(request);
				response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
			});
		});
	}

	static async start(): Promise<ScriptedService> {
		const service = new ScriptedService();
		await once(service.#server.listen(0, '127.0.0.1'), 'listening');
		return service;
	}

	get baseUrl(): string {
		const { port } = this.#server.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	}

	/** Forgets the requests so far. */
	reset(): void {
		this.requests.length = 0;
	}

	async stop(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}
