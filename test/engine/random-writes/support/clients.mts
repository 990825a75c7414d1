import { randomBytes } from 'node:crypto';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';

import { FunctionFragment, Interface } from 'ethers';
import type { AxiosInstance } from 'axios';

import type { Answer } from '../../support/answers.mts';
import type { ScriptedRequest, ScriptedService } from '../../support/scripted-service.mts';
import { ALICE, READ, ScriptedWorld, WRITE } from '../../support/scripted-world.mts';
import type { AnswerPlan } from './answers.mts';
import { HASH, TOKEN } from './answers.mts';
import type { Entry, Look } from './logs.mts';
import { clock } from './logs.mts';

/** Header that identifies the run that sent a request. */
export const SCOPE_HEADER = 'x-scope';

/** Precedes the tag in the recipient of a transfer. */
export const PADDING = 'c';
/** Symbol of every contract; the decimals change with each write. */
const SYMBOL = 'COIN';
const DECIMALS = [6, 8] as const;
/** An amount in the called contract's unit, and its possible values in base units. */
export const WHOLE_TOKENS = `2.5 ${SYMBOL}`;
const BASE_UNITS = DECIMALS.map((decimals) => String(25 * 10 ** (decimals - 1)));

/** Answers the requests of one client and records them. */
interface Script {
	readonly entries: Entry[];
	/** The looks at keys. */
	readonly looks: Look[];
	/** A user's client of a service that keeps writes, if this one does; it keeps them there. */
	readonly keeper?: AxiosInstance;
	/** Number of pending writes. */
	open: number;
	/** The answer to the next write, and its delay in milliseconds; called as the write arrives. */
	next(): { readonly plan: AnswerPlan; readonly ms: number };
	/** The answer to the next look at a key, or its end. */
	nextLook(): { readonly plan: AnswerPlan };
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
function lookedUp(path: string, body: string, isThere: boolean, writes: number): Answer {
	const world = new ScriptedWorld();
	world.profiles[ALICE.id] = { ...ALICE, address: `0x${'5'.repeat(40)}` };
	const balance = isThere ? String(2n ** 200n) : '1';
	world.facts = { symbol: SYMBOL, decimals: DECIMALS[writes % DECIMALS.length], balance };
	const answer = world.answerTo(path, body);
	return isThere || path.includes('/balance/') ? answer : { ...answer, status: 404 };
}

/** A random transaction hash, sometimes in capitals. */
function freshHash(): string {
	const digits = randomBytes(32).toString('hex');
	return `0x${digits.startsWith('f') ? digits.toUpperCase() : digits}`;
}

/** What a service offers that keeps writes. */
const OFFER = { writes: { put: true, fence: true } };
const KEY = /^\/v1\/writes\/(.+)$/;

/** Whether an answer can be believed only if it comes from the service: it must then be true. */
const isTold = ({ answer }: AnswerPlan) =>
	typeof answer === 'object' && (answer.status ?? 200) < 300;

/** Lets the service that keeps writes do a request. */
async function keep(keeper: AxiosInstance, { method, body }: ScriptedRequest, url: string) {
	const { status, data, headers } = await keeper.request<string>({
		method,
		url,
		...(body !== '' && { data: body, headers: { 'content-type': 'application/json' } }),
		transformResponse: (text: string) => text,
	});
	const replayed = String(headers['idempotency-replayed'] ?? 'false');
	const { hash } = JSON.parse(data) as { hash?: string };
	return {
		hash: status < 300 ? hash?.toLowerCase() : undefined,
		isRepeat: replayed === 'true',
		answer: { status, body: data, headers: { 'idempotency-replayed': replayed } },
	};
}

const filledIn = ({ answer }: AnswerPlan, hash: string, token: string) =>
	JSON.stringify(answer).replaceAll(HASH, hash).replaceAll(TOKEN, token);

const hashesIn = (answer: string) =>
	(answer.match(/0x[0-9a-f]{64}(?![0-9a-f])/gi) ?? []).map((hash) => hash.toLowerCase());

/** The clients of a service, each with its own base URL and script. */
export class Clients {
	readonly #scripts = new Map<string, Script>();

	/** Number of writes from clients without a script, such as clients that seemed to have finished. */
	strays = 0;

	constructor(service: ScriptedService) {
		service.script = async (request) => await this.#answer(request);
	}

	/** Adds a client, whose base URL is the service's with this path. */
	add(name: string, script: Script): void {
		this.#scripts.set(name, script);
	}

	/** Waits until a client has no pending requests: an abandoned request may still arrive. */
	async untilQuiet(name: string): Promise<void> {
		for (let quiet = 0; quiet < 10; quiet += 1) {
			await turn();
			if ((this.#scripts.get(name)?.open ?? 0) > 0) quiet = 0;
		}
	}

	/** Removes a client that has finished. */
	remove(name: string): void {
		this.#scripts.delete(name);
	}

	async #answer(request: ScriptedRequest): Promise<Answer> {
		const [, name = '', path = ''] = /^\/([^/]*)(.*)$/.exec(request.path) ?? [];
		const script = this.#scripts.get(name);
		const [, key] = (script?.keeper && KEY.exec(path)) ?? [];
		if (script?.keeper && path === '/v1/service') return { body: OFFER };
		if (script?.keeper && key !== undefined && request.method !== 'PUT')
			return await this.#look(script, script.keeper, request, path, key);
		if ((request.method !== 'POST' && key === undefined) || path === READ) {
			const isThere = script?.knowsUser() !== false;
			return lookedUp(path, request.body, isThere, script?.entries.length ?? 0);
		}
		if (script === undefined) {
			this.strays += 1;
			return { status: 404 };
		}
		script.open += 1;
		const answer = await this.#write(script, request, path, key);
		script.open -= 1;
		return answer;
	}

	/** A look at a key, or its end; what would be believed is true. */
	async #look(
		script: Script,
		keeper: AxiosInstance,
		request: ScriptedRequest,
		path: string,
		key: string,
	): Promise<Answer> {
		script.open += 1;
		const scope = request.headers[SCOPE_HEADER]?.toString();
		const { plan } = script.nextLook();
		const isTrue = isTold(plan);
		const kept = isTrue || plan.does ? await keep(keeper, request, path) : undefined;
		script.looks.push({ key: decodeURIComponent(key), scope, to: clock(), isAnswered: isTrue });
		script.open -= 1;
		return kept && isTrue ? kept.answer : (JSON.parse(filledIn(plan, freshHash(), '')) as Answer);
	}

	async #write(
		script: Script,
		request: ScriptedRequest,
		path: string,
		key: string | undefined,
	): Promise<Answer> {
		const { authorization, body, closed, headers } = request;
		const arrivedAt = clock();
		const scope = headers[SCOPE_HEADER]?.toString();
		const { plan, ms } = script.next();
		let leftAt: number | undefined;
		void closed.then(() => (leftAt = clock()));
		// After two turns, a client has closed any request that it just abandoned.
		await turn();
		await turn();
		const from = clock();
		const { keeper } = script;
		const kept = plan.does && keeper ? await keep(keeper, request, path) : undefined;
		const hash = kept?.hash ?? freshHash();
		await Promise.race([closed, plan.answer === 'hold' ? closed : delay(ms)]);
		const token = authorization.replace(/^Bearer /, '');
		const isTrue = kept !== undefined && plan.outcome === 'done';
		const filled = isTrue ? JSON.stringify(kept.answer) : filledIn(plan, hash, token);
		const answer = JSON.parse(filled) as Answer;
		const isSent = typeof answer === 'object' && answer.fault === undefined;
		const isWhole = isSent && leftAt === undefined && !script.isStopped(scope);
		script.entries.push({
			...readCall(body),
			scope,
			isDirect: path === WRITE || key !== undefined,
			arrivedAt,
			from,
			...(key !== undefined && { key: decodeURIComponent(key), isRepeat: kept?.isRepeat === true }),
			isEnded: isTrue && kept.answer.status === 410,
			to: leftAt ?? clock(),
			hash: plan.does && (keeper === undefined || kept?.hash !== undefined) ? hash : undefined,
			outcome: isWhole ? (isTrue && kept.hash === undefined ? 'refused' : plan.outcome) : 'unknown',
			hashes: isWhole ? [...new Set(hashesIn(filled))] : [],
		});
		return answer;
	}
}
