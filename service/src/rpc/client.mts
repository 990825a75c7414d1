import type { JsonRpcPayload } from 'ethers';
import { AnswerTooLong, ContractRefusal, EndpointFailure } from './failures.mts';
import { revertDataIn } from './revert-data.mts';
import { cleaned, nameOf } from './words.mts';

/** The answer is not JSON, such as the page of a proxy. */
export class NotJson extends EndpointFailure {
	/** The HTTP status of the answer. */
	readonly status: number;

	constructor(name: string, status: number) {
		super(`${name} did not answer in JSON (HTTP status ${status})`);
		this.status = status;
	}
}

/** Maximum number of requests that go out together. */
const TOGETHER = 20;

/** The parameters of a request. */
export type Params = JsonRpcPayload['params'];

/** Methods whose answers a contract makes, and the maximum lengths of their answers and of others, in characters. */
export const OF_CONTRACTS: readonly string[] = ['eth_call', 'eth_estimateGas'];
const MOST_OF_CONTRACT = 300_000;
const MOST = 2 ** 26;

/** Maximum number of values in an answer: each can take far more memory than its text. */
const MOST_VALUES = 2_000_000;
/** What each value in JSON but the first begins with or follows: `[` and `{` differ in one bit. */
const [COMMA, BRACKET, BIT] = [0x2c, 0x5b, 0x20];

/** A request without its answer. */
interface Open {
	method: string;
	params: Params;
	resolve(result: unknown): void;
	reject(error: unknown): void;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** A value without parts. The text of lists and objects says nothing, and may not even exist: they can be nested too deeply. */
const scalar = (value: unknown) => (isObject(value) ? undefined : value);

/** The text of an answer, read no further than its maximum length. @throws AnswerTooLong */
async function textOf({ body }: Response, most: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	let values = 1;
	for await (const part of body ?? []) {
		text += decoder.decode(part, { stream: true });
		for (const byte of part) if (byte === COMMA || (byte & ~BIT) === BRACKET) values++;
		if (text.length > most || values > MOST_VALUES) throw new AnswerTooLong();
	}
	return text;
}

/** Where requests to an endpoint go, and their headers. `fetch` refuses a user name and a password in a URL. */
export function addressOf(text: string): { url: URL; headers: Record<string, string> } {
	const url = new URL(text);
	const secret = [url.username, url.password].map(decodeURIComponent).join(':');
	// The error of `fetch`, which is logged, contains the URL.
	[url.username, url.password] = ['', ''];
	const authorization = `Basic ${Buffer.from(secret).toString('base64')}`;
	const headers = { 'content-type': 'application/json' };
	return { url, headers: secret === ':' ? headers : { ...headers, authorization } };
}

/**
 * A JSON-RPC endpoint. Requests have a time limit and are not repeated after a failure: ethers' own client repeats and waits
 * for minutes, which is wrong for a transaction. Reads that begin at the same moment go out together, but those of several
 * callers hardly ever do: one that hangs must not hold up others.
 */
export class RpcClient {
	readonly #given: string;
	readonly #url: URL;
	readonly #headers: Record<string, string>;
	readonly #limitMs: number;
	#id = 0;
	readonly #waiting: Open[] = [];

	/** @param limitMs time limit for an answer, in milliseconds */
	constructor(url: string, limitMs: number) {
		this.#given = url;
		({ url: this.#url, headers: this.#headers } = addressOf(url));
		this.#limitMs = limitMs;
	}

	/** An endpoint's words without anything of its URL. */
	clean(text: string): string {
		return cleaned(text, [this.#given]);
	}

	/** Name of the endpoint for messages: URLs contain access keys. */
	get name(): string {
		return nameOf(this.#url);
	}

	/**
	 * @throws ContractRefusal if the contract refuses the call
	 * @throws EndpointFailure if the endpoint gives no usable answer, so that whether the request had an effect is unknown
	 */
	async call(method: string, params: Params = []): Promise<unknown> {
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
			// Some endpoints answer requests that come together with a text, or cut the answer.
			const isOfBatch = error instanceof AnswerTooLong || error instanceof NotJson;
			for (const request of requests) {
				if (isAlone || !isOfBatch) request.reject(error);
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
		const error = this.#errorOf(method, answer.error);
		// Some endpoints refuse requests only because they come together.
		if (isAlone || error instanceof ContractRefusal) reject(error);
		else void this.#ask([request]);
	}

	#errorOf(method: string, problem: unknown): ContractRefusal | EndpointFailure {
		if (!isObject(problem)) return new EndpointFailure(`${this.name} did not answer ${method}`);
		const { code, message, data } = problem;
		const answered = { code: Number(scalar(code)), message: String(scalar(message)), data };
		const reverted = OF_CONTRACTS.includes(method) ? revertDataIn(answered) : undefined;
		if (reverted !== undefined) return new ContractRefusal(reverted);
		const words = this.clean(answered.message);
		const told = `${this.name} refuses ${method}: ${words}`;
		return new EndpointFailure(told, { code: answered.code, words });
	}

	/** The answers, in any order. */
	async #post(bodies: object[], most: number): Promise<unknown[]> {
		let text: string;
		let status: number;
		try {
			const response = await fetch(this.#url, {
				method: 'POST',
				headers: this.#headers,
				body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
				redirect: 'error',
				signal: AbortSignal.timeout(this.#limitMs),
			});
			({ status } = response);
			text = await textOf(response, most);
		} catch (cause) {
			if (cause instanceof AnswerTooLong && most < MOST) throw cause;
			throw new EndpointFailure(`${this.name} does not answer`, { cause });
		}
		try {
			return [JSON.parse(text)].flat();
		} catch {
			throw new NotJson(this.name, status);
		}
	}
}
