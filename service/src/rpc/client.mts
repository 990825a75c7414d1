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

	/** Whether it is the chain's own answer: a call that reverts has bytes as data, or the code 3. */
	get isOfChain(): boolean {
		const { code, data } = this.problem;
		return code === 3 || (typeof data === 'string' && data.startsWith('0x'));
	}
}

/** What a contract answers is longer than any answer that is used. Its length is the chain's own answer, too. */
export class AnswerTooLong extends RpcError {
	constructor() {
		super({ code: 3, message: 'The answer of the contract is too long' });
	}
}

/** No usable answer arrived in time; whether the request had an effect is unknown. */
export class NoAnswer extends Error {}

/** Maximum number of requests that go out together. */
const TOGETHER = 20;

/** Methods whose answers a contract makes, and the maximum lengths of their answers and of others, in characters. */
export const OF_CONTRACTS: readonly string[] = ['eth_call', 'eth_estimateGas'];
const MOST_OF_CONTRACT = 300_000;
const MOST = 2 ** 26;

/** A request without its answer. */
interface Open {
	method: string;
	params: JsonRpcPayload['params'];
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

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

/** The text of an answer, read no further than its maximum length. @throws AnswerTooLong */
async function textOf({ body }: Response, most: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	for await (const part of body ?? []) {
		text += decoder.decode(part, { stream: true });
		if (text.length > most) throw new AnswerTooLong();
	}
	return text;
}

/**
 * A JSON-RPC endpoint. Requests have a time limit and are not repeated after a failure: ethers' own client repeats and waits
 * for minutes, which is wrong for a transaction. Reads that begin at the same moment go out together, but those of several
 * callers hardly ever do: one that hangs must not hold up others.
 */
export class RpcClient {
	readonly #url: URL;
	readonly #headers: Record<string, string>;
	readonly #limitMs: number;
	#id = 0;
	readonly #waiting: Open[] = [];

	/** @param limitMs time limit for an answer, in milliseconds */
	constructor(url: string, limitMs: number) {
		this.#url = new URL(url);
		const { username, password } = this.#url;
		// `fetch` refuses them in a URL, and its error, which is logged, contains them.
		[this.#url.username, this.#url.password] = ['', ''];
		const secret = [username, password].map(decodeURIComponent).join(':');
		const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;
		this.#headers = {
			'content-type': 'application/json',
			...(secret === ':' ? {} : { authorization }),
		};
		this.#limitMs = limitMs;
	}

	/** Name of the endpoint for messages: URLs contain access keys. */
	get name(): string {
		return this.#url.host;
	}

	/**
	 * @throws RpcError if the endpoint answers with an error
	 * @throws NoAnswer if it does not answer
	 */
	async call(method: string, params: JsonRpcPayload['params'] = []): Promise<unknown> {
		return await new Promise((resolve, reject) => {
			const request = { method, params, resolve, reject };
			// A transaction does not wait for the answers to reads.
			if (method.startsWith('eth_send')) void this.#ask([request]);
			else if (this.#waiting.push(request) === 1) queueMicrotask(() => this.#askAll());
		});
	}

	#askAll(): void {
		while (this.#waiting.length > 0) void this.#ask(this.#waiting.splice(0, TOGETHER));
	}

	async #ask(requests: Open[]): Promise<void> {
		const first = this.#id + 1;
		this.#id += requests.length;
		const bodies = requests.map(({ method, params }, place) => {
			return { jsonrpc: '2.0', id: first + place, method, params };
		});
		const areOfContracts = requests.every(({ method }) => OF_CONTRACTS.includes(method));
		try {
			const answers = await this.#post(bodies, areOfContracts ? MOST_OF_CONTRACT : MOST);
			for (const [place, request] of requests.entries()) {
				const answer = answers.find((one) => isObject(one) && one.id === first + place);
				this.#settle(request, isObject(answer) ? answer : {}, requests.length === 1);
			}
		} catch (error) {
			const isAlone = requests.length === 1;
			for (const request of requests) {
				if (isAlone || !(error instanceof AnswerTooLong)) request.reject(error);
				else void this.#ask([request]);
			}
		}
	}

	#settle(request: Open, answer: Record<string, unknown>, isAlone: boolean): void {
		const { method, resolve, reject } = request;
		if (answer.result !== undefined) {
			resolve(answer.result);
			return;
		}
		const { code, message, data } = isObject(answer.error) ? answer.error : {};
		const error =
			message === undefined
				? new NoAnswer(`${this.name} did not answer ${method}`)
				: new RpcError({ code: Number(code), message: String(message), data });
		// Some endpoints refuse requests only because they come together.
		const isForThis = error instanceof RpcError && error.isOfChain;
		if (isAlone || isForThis) reject(error);
		else void this.#ask([request]);
	}

	/** The answers, in any order. */
	async #post(bodies: object[], most: number): Promise<unknown[]> {
		let text: string;
		try {
			const response = await fetch(this.#url, {
				method: 'POST',
				headers: this.#headers,
				body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
				redirect: 'error',
				signal: AbortSignal.timeout(this.#limitMs),
			});
			text = await textOf(response, most);
		} catch (cause) {
			if (cause instanceof AnswerTooLong && most < MOST) throw cause;
			throw new NoAnswer(`${this.name} does not answer`, { cause });
		}
		try {
			return [JSON.parse(text)].flat();
		} catch (cause) {
			throw new NoAnswer(`${this.name} did not answer in JSON`, { cause });
		}
	}
}
