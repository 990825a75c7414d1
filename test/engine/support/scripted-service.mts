import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { startLocalServer } from '../../../tools/network/local-server.mts';
import type { LocalServer } from '../../../tools/network/local-server.mts';
import { inTests } from '../../support/resources.mts';
import type { Answer } from './answers.mts';
import { EXPLORER, hashOf, json, sendAnswer } from './answers.mts';
import type { ContractCall } from './scripted-world.mts';
import { ALICE, READ, ScriptedWorld, WRITE } from './scripted-world.mts';

/** A request that reached the service. */
export interface ScriptedRequest {
	readonly method: string;
	/** Path as received, still encoded. */
	readonly path: string;
	readonly authorization: string;
	readonly headers: IncomingMessage['headers'];
	readonly body: string;
	/** Fulfilled when the connection is closed; if there is no answer yet, the client has closed it. */
	readonly closed: Promise<unknown>;
}

type Script = (request: ScriptedRequest) => Answer | undefined | Promise<Answer | undefined>;

/**
 * A service without a chain. It records all requests. The test's `script` answers them, otherwise `answer` (writes) and the
 * fields of `ScriptedWorld` (users, tokens, values, history).
 */
export class ScriptedService extends ScriptedWorld implements AsyncDisposable {
	/** Answers any request; if it returns nothing, the request is answered as usual. */
	script: Script = () => undefined;

	/** What it offers beyond the interface; by default, it knows only the interface. */
	description: object | undefined;

	readonly requests: ScriptedRequest[] = [];

	readonly #answers: Answer[] = [];

	readonly #events = new EventEmitter();

	#writesAtOnce = 0;

	/** Maximum number of simultaneously pending writes. */
	mostAtOnce = 0;

	#server: LocalServer | undefined;

	static async start(): Promise<ScriptedService> {
		const service = new ScriptedService();
		service.#server = await startLocalServer((message, response) =>
			service.#receive(message, response),
		);
		return service;
	}

	get baseUrl(): string {
		return this.#server?.url ?? '';
	}

	/** Alice's credential, with overrides. */
	credential(changes: object = {}): { baseUrl: string; accessToken: string; userId: string } {
		const { baseUrl } = this;
		return { baseUrl, accessToken: 'secret-token', userId: ALICE.id, ...changes };
	}

	/** Sets the answers to the next writes, in order; afterwards, each succeeds with the hash of its number. */
	answer(...answers: Answer[]): void {
		this.#answers.push(...answers);
	}

	/** The contract calls sent to a path, in order. */
	#calls(path: string): ContractCall[] {
		return this.requests
			.filter((request) => request.path === path)
			.map(({ body }) => JSON.parse(body) as ContractCall);
	}

	get writes(): ContractCall[] {
		return this.#calls(WRITE);
	}

	/** The names of the functions that were read. */
	get reads(): string[] {
		return this.#calls(READ).map(({ abi }) => abi.replace(/\(.*/, ''));
	}

	/** The requested paths that contain a string. */
	asked(part: string): string[] {
		return this.requests.map(({ path }) => path).filter((path) => path.includes(part));
	}

	/** Fulfilled when this many writes have arrived. */
	async received(count: number): Promise<void> {
		while (this.writes.length < count) await once(this.#events, 'write');
	}

	/** Clears the recorded requests. */
	reset(): void {
		this.requests.length = 0;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server?.stop();
	}

	#answerTo({ path, body }: ScriptedRequest): Answer {
		if (path !== WRITE) return this.answerTo(path, body);
		const hash = hashOf(this.writes.length);
		const success = { status: 'SUCCESS', hash, explorerUrl: EXPLORER, tx: {} };
		return this.#answers.shift() ?? json(success);
	}

	async #receive(message: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url: path = '', headers } = message;
		if (path === '/v1/service') {
			const { description } = this;
			const unknown = json({ error: 'unknown route' }, 404);
			return sendAnswer(response, description ? json(description) : unknown);
		}
		const { authorization = '' } = headers;
		const closed = new Promise((resolve) => response.once('close', resolve));
		const body = await text(message);
		const request = { method, path, authorization, headers, body, closed };
		this.requests.push(request);
		if (request.path === WRITE) this.#countWrite(request);
		sendAnswer(response, (await this.script(request)) ?? this.#answerTo(request));
	}

	#countWrite({ closed }: ScriptedRequest): void {
		this.#writesAtOnce += 1;
		this.mostAtOnce = Math.max(this.mostAtOnce, this.#writesAtOnce);
		void closed.then(() => (this.#writesAtOnce -= 1));
		this.#events.emit('write');
	}
}

/** Starts a service before each test of a file, and stops it after the test. */
export function useScriptedService(): () => ScriptedService {
	const service = inTests(beforeEach, ScriptedService.start);
	afterEach(async () => await service()[Symbol.asyncDispose]());
	return service;
}
