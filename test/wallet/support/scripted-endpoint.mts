/** Endpoints of a scripted chain, each of which can lie about anything. */
import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer, type LocalServer } from '../../../tools/network/local-server.mts';
import type { RpcRequest } from './endpoint.mts';
import { answerOf } from './scripted-answers.mts';
import { Refusal } from './scripted-block.mts';
import type { ScriptedChain } from './scripted-chain.mts';

/** The answer to a request, without its envelope. */
export type RpcAnswer = { result: unknown } | { error: unknown };

/**
 * What an endpoint answers instead of the truth.
 *
 * @param honest asks the chain; a transaction is passed on only by this
 * @returns undefined for an answer that lacks both result and error
 */
export type Lie = (
	request: RpcRequest,
	honest: () => RpcAnswer,
) => RpcAnswer | undefined | Promise<RpcAnswer | undefined>;

/** An answer on the level of HTTP; without one the connection ends. */
export interface HttpAnswer {
	status: number;
	body: string;
	contentType?: string;
}

export class ScriptedEndpoint implements AsyncDisposable {
	/** The chain that it shows; another one can take its place at any time. */
	chain: ScriptedChain;
	/** Number of blocks by which it is behind. */
	lag = 0;
	/** Whether it ends every connection. */
	isDead = false;
	/** How often each method was asked for. */
	readonly asked = new Map<string, number>();
	readonly #lies = new Map<string, Lie>();
	#http: ((requests: readonly RpcRequest[]) => HttpAnswer | undefined) | undefined;
	#server: LocalServer | undefined;

	private constructor(chain: ScriptedChain) {
		this.chain = chain;
	}

	/** Starts one on any free port of this machine. */
	static async start(chain: ScriptedChain): Promise<ScriptedEndpoint> {
		const endpoint = new ScriptedEndpoint(chain);
		endpoint.#server = await startLocalServer((request, response) => {
			endpoint.#handle(request, response).catch(() => response.socket?.destroy());
		});
		return endpoint;
	}

	get url(): string {
		return this.#server?.url ?? '';
	}

	/** Lies about a method from now on; `*` for all that have no lie of their own. */
	lie(method: string, lie: Lie): void {
		this.#lies.set(method, lie);
	}

	/** Answers requests that arrive together on the level of HTTP, if there is an answer. */
	lieByHttp(lie: (requests: readonly RpcRequest[]) => HttpAnswer | undefined): void {
		this.#http = lie;
	}

	/** Ends all lies, about methods and by HTTP. */
	becomeHonest(): void {
		this.#lies.clear();
		this.#http = undefined;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server?.stop();
	}

	async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const asked: RpcRequest | RpcRequest[] = JSON.parse(await text(incoming));
		if (this.isDead) {
			response.socket?.destroy();
			return;
		}
		const lie = this.#http?.([asked].flat());
		const {
			status,
			body,
			contentType = 'application/json',
		} = lie ?? {
			status: 200,
			body: JSON.stringify(
				Array.isArray(asked)
					? await Promise.all(asked.map((one) => this.#answer(one)))
					: await this.#answer(asked),
			),
		};
		response.writeHead(status, { 'content-type': contentType }).end(body);
	}

	async #answer(request: RpcRequest): Promise<object> {
		const { id, method } = request;
		this.asked.set(method, (this.asked.get(method) ?? 0) + 1);
		const lie = this.#lies.get(method) ?? this.#lies.get('*');
		const honest = () => this.#honest(request);
		return { jsonrpc: '2.0', id, ...(lie ? await lie(request, honest) : honest()) };
	}

	#honest(request: RpcRequest): RpcAnswer {
		const head = Math.max(0, this.chain.head - this.lag);
		try {
			return { result: answerOf(this.chain, request, head) };
		} catch (error) {
			if (error instanceof Refusal) return { error: error.error };
			throw error;
		}
	}
}
