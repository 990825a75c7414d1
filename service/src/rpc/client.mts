import type { JsonRpcPayload } from 'ethers';

/** The error object of an endpoint's answer. */
export interface RpcProblem {
	code: number;
	message: string;
	data?: unknown;
}

/** An endpoint answered with an error. */
export class RpcError extends Error {
	readonly problem: RpcProblem;

	constructor(problem: RpcProblem) {
		super(problem.message);
		this.problem = problem;
	}
}

/** No usable answer arrived in time; whether the request had an effect is unknown. */
export class NoAnswer extends Error {}

/** Time limit for an answer, in milliseconds. */
const TIME_LIMIT_MS = 8_000;

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** An integer in the form of JSON-RPC, exact. @throws NoAnswer for any other value: a read that failed is not a number */
export function quantity(value: unknown): bigint {
	if (typeof value === 'string' && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value);
	throw new NoAnswer(`The endpoint's answer is not an integer: ${JSON.stringify(value)}`);
}

/** An object of JSON-RPC; undefined for null. @throws NoAnswer for any other value */
export function record(value: unknown): Record<string, unknown> | undefined {
	if (value === null) return undefined;
	if (isObject(value)) return value;
	throw new NoAnswer(`The endpoint's answer is not an object: ${JSON.stringify(value)}`);
}

/**
 * A JSON-RPC endpoint. Requests are never repeated, and each has a time limit: ethers' own client repeats and waits for
 * minutes, which is wrong for a transaction.
 */
export class RpcClient {
	readonly #url: string;
	#id = 0;

	constructor(url: string) {
		this.#url = url;
	}

	/** Name of the endpoint for messages: URLs contain access keys. */
	get name(): string {
		return new URL(this.#url).host;
	}

	/**
	 * @throws RpcError if the endpoint answers with an error
	 * @throws NoAnswer if it does not answer
	 */
	async call(method: string, params: JsonRpcPayload['params'] = []): Promise<unknown> {
		const id = ++this.#id;
		const text = await this.#post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
		let answer: unknown;
		try {
			answer = JSON.parse(text);
		} catch (cause) {
			throw new NoAnswer(`${this.name} did not answer ${method} in JSON`, { cause });
		}
		if (!isObject(answer) || answer.id !== id) {
			throw new NoAnswer(`${this.name} did not answer ${method}`);
		}
		if (isObject(answer.error)) {
			const { code, message, data } = answer.error;
			throw new RpcError({ code: Number(code), message: String(message), data });
		}
		if (answer.result === undefined) {
			throw new NoAnswer(`${this.name} answered ${method} without a result`);
		}
		return answer.result;
	}

	async #post(body: string): Promise<string> {
		try {
			const response = await fetch(this.#url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body,
				redirect: 'error',
				signal: AbortSignal.timeout(TIME_LIMIT_MS),
			});
			return await response.text();
		} catch (cause) {
			throw new NoAnswer(`${this.name} does not answer`, { cause });
		}
	}
}
