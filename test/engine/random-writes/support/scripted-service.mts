import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import { FunctionFragment, Interface } from 'ethers';

import type { LocalServer } from '../../../../tools/network/local-server.mts';
import { startLocalServer } from '../../../../tools/network/local-server.mts';
import type { AnswerPlan } from './answers.mts';
import { HASH, TOKEN } from './answers.mts';
import type { Entry } from './logs.mts';
import { clock } from './logs.mts';

/** Header that identifies the run that sent a request. */
export const SCOPE_HEADER = 'x-scope';

const WRITE_PATH = '/v1/contracts/method/write';
const READ_PATH = '/v1/contracts/method/read';
/** Precedes the tag in the recipient of a transfer. */
export const PADDING = 'c';
/** Every contract's symbol; its decimals change with each write. */
const SYMBOL = 'COIN';
const DECIMALS = [6, 8] as const;
/** An amount in the called contract's unit, and its possible values in base units. */
export const WHOLE_TOKENS = `2.5 ${SYMBOL}`;
const BASE_UNITS = DECIMALS.map((decimals) => String(25 * 10 ** (decimals - 1)));
/** The profile returned for every user. */
const USER = {
	id: 'DISCORD-1',
	provider: 'DISCORD',
	username: 'one',
	address: `0x${'5'.repeat(40)}`,
	imageSrc: '',
};

/** Answers the requests of one client and records them. */
export interface Script {
	readonly entries: Entry[];
	/** The answer to the next write, and its delay in milliseconds; called as the write arrives. */
	next(): { readonly plan: AnswerPlan; readonly ms: number };
	/** Whether the next look-up finds its user, a high enough balance, or the token's function. */
	knowsUser(): boolean;
	/** Whether the execution of a run was stopped; its requests then receive no answer. */
	isStopped(scope: string | undefined): boolean;
}

function readCall(json: string) {
	const { address, abi, args = [], value = '0' } = JSON.parse(json);
	const fragment = FunctionFragment.from(abi);
	const data = new Interface([fragment]).encodeFunctionData(fragment, args);
	const isCounted = fragment.name !== 'payIn' || BASE_UNITS.includes(args[2]);
	return {
		tag: String(args[0]).replace(new RegExp(`^0x${PADDING}+`), ''),
		address: String(address).toLowerCase(),
		selector: isCounted ? fragment.selector : 'another amount',
		value: BigInt(value),
		canonical: `${String(address).toLowerCase()} ${data} ${value}`,
	};
}

/** The answer to any request except a write. */
function lookedUp(path: string, body: string, isThere: boolean, writes: number): unknown {
	if (path === READ_PATH) {
		const decimals = DECIMALS[writes % DECIMALS.length];
		return { status: 'SUCCESS', response: body.includes('decimals()') ? decimals : SYMBOL };
	}
	const [, token] = /\/balance\/(.+)$/.exec(path) ?? [];
	if (token === undefined) return USER;
	return { [token.toLowerCase()]: { balance: isThere ? String(2n ** 200n) : '1' } };
}

/** A random transaction hash, sometimes in capitals. */
function freshHash(): string {
	const digits = randomBytes(32).toString('hex');
	return `0x${digits.startsWith('f') ? digits.toUpperCase() : digits}`;
}

const hashesIn = (answer: string) =>
	(answer.match(/0x[0-9a-f]{64}(?![0-9a-f])/gi) ?? []).map((hash) => hash.toLowerCase());

/** Breaks off the answer, or sends something other than HTTP. */
function breakOff(response: ServerResponse, fault: AnswerPlan['fault'], body: string): void {
	const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
	if (fault === 'half') {
		response.writeHead(200, headers).write(body.slice(0, body.length / 2));
		// Data already written is sent first.
		setImmediate(() => response.destroy());
	} else if (fault === 'no http') {
		response.socket?.end('who is there?\r\n\r\n');
	} else if (fault === 'bad gzip') {
		response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(body);
	} else {
		response.destroy();
	}
}

/** A service without a chain that acts and answers according to a script per client. */
export class ScriptedService implements AsyncDisposable {
	readonly #scripts = new Map<string, Script>();

	/** Number of pending requests by client. */
	readonly #open = new Map<string, number>();

	/** Writes of clients without a script, such as clients that seemed to be finished. */
	strays = 0;

	readonly #server: LocalServer;

	private constructor(server: LocalServer) {
		this.#server = server;
	}

	static async start(): Promise<ScriptedService> {
		const server = await startLocalServer((request, response) =>
			service.#receive(request, response),
		);
		const service = new ScriptedService(server);
		return service;
	}

	/** Adds a client with its script. @returns the client's base URL */
	add(name: string, script: Script): string {
		this.#scripts.set(name, script);
		return `${this.#server.url}/${name}`;
	}

	/** Removes a script once its client has no pending requests: an abandoned request may still arrive. */
	async remove(name: string): Promise<void> {
		for (let quiet = 0; quiet < 10; quiet += 1) {
			await turn();
			if ((this.#open.get(name) ?? 0) > 0) quiet = 0;
		}
		this.#scripts.delete(name);
		this.#open.delete(name);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#server.stop();
	}

	async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const [, name = '', path = ''] = /^\/([^/]*)(.*)$/.exec(request.url ?? '') ?? [];
		const body = await text(request);
		const script = this.#scripts.get(name);
		if (request.method !== 'POST' || path === READ_PATH) {
			const isThere = script?.knowsUser() !== false;
			response.writeHead(isThere || path.includes('/balance/') ? 200 : 404);
			response.end(JSON.stringify(lookedUp(path, body, isThere, script?.entries.length ?? 0)));
		} else if (script === undefined) {
			this.strays += 1;
			response.writeHead(404).end();
		} else {
			this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
			await this.#write(script, request, response, { path, body });
			this.#open.set(name, (this.#open.get(name) ?? 0) - 1);
		}
	}

	async #write(
		script: Script,
		request: IncomingMessage,
		response: ServerResponse,
		{ path, body }: { path: string; body: string },
	): Promise<void> {
		const arrivedAt = clock();
		const scope = request.headers[SCOPE_HEADER]?.toString();
		const { plan, ms } = script.next();
		const left = once(response, 'close');
		let isLeft = false;
		void left.then(() => (isLeft = true));
		// By then, a client has closed the request that it just abandoned.
		await turn();
		await turn();
		const from = clock();
		const hash = freshHash();
		await Promise.race([left, plan.fault === 'never' ? left : delay(ms)]);
		const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
		const fill = (template: string) => template.replaceAll(HASH, hash).replaceAll(TOKEN, token);
		const headers = Object.entries(plan.headers).map(([key, value]) => [key, fill(value)] as const);
		const isWhole = plan.fault === undefined && !isLeft && !script.isStopped(scope);
		const given = isWhole ? hashesIn(JSON.stringify([headers, fill(plan.body)])) : [];
		script.entries.push({
			...readCall(body),
			scope,
			isDirect: path === WRITE_PATH,
			arrivedAt,
			from,
			to: clock(),
			hash: plan.does ? hash : undefined,
			outcome: isWhole ? plan.outcome : 'unknown',
			hashes: [...new Set(given)],
		});
		if (plan.fault !== undefined) breakOff(response, plan.fault, fill(plan.body));
		else response.writeHead(plan.status, Object.fromEntries(headers)).end(fill(plan.body));
	}
}
