import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { LocalServer } from '../../../tools/network/local-server.mts';
import { startLocalServer } from '../../../tools/network/local-server.mts';
import { useResources } from '../../support/resources.mts';

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
export class ScriptedService implements AsyncDisposable {
	/** How the next requests are answered. */
	script: Script = () => ({ body: '{}' });

	readonly requests: ScriptedRequest[] = [];

	readonly #server: LocalServer;

	private constructor(server: LocalServer) {
		this.#server = server;
	}

	static async start(): Promise<ScriptedService> {
		const server = await startLocalServer(async (message, response) => {
			const request = await requestOf(message);
			service.requests.push(request);
			const { status = 200, headers, body } = await service.script(request);
			response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
		});
		const service = new ScriptedService(server);
		return service;
	}

	get baseUrl(): string {
		return this.#server.url;
	}

	/** Forgets the requests so far. */
	reset(): void {
		this.requests.length = 0;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server.stop();
	}
}

/** Starts a service before the tests of a file, and ends it after them; its requests are forgotten after each test. */
export function useScriptedService(): () => ScriptedService {
	const resources = useResources();
	let started: ScriptedService | undefined;
	const service = () => {
		if (started === undefined) throw new Error('The service has not started');
		return started;
	};
	beforeAll(async () => {
		started = await resources.use(ScriptedService.start());
	});
	afterEach(() => service().reset());
	return service;
}
