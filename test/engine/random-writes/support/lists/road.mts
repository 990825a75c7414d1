import { getBytes, hexlify, randomBytes } from 'ethers';
import type { AxiosInstance, AxiosResponse } from 'axios';

import type { Answer } from '../../../support/answers.mts';
import type { ScriptedRequest, ScriptedService } from '../../../support/scripted-service.mts';
import { ALICE, ScriptedWorld, WRITE } from '../../../support/scripted-world.mts';
import type { Payment } from './logs.mts';
import type { Passages } from './passages.mts';
import type { Fate } from './scenarios.mts';

/** Header that identifies the session that sent a request. */
export const SESSION_HEADER = 'x-session';

const PAGE = {
	status: 403,
	body: '<html>No access</html>',
	headers: { 'content-type': 'text/html' },
};
const ERROR = {
	status: 500,
	body: 'Internal Server Error',
	headers: { 'content-type': 'text/plain' },
};
const REFUSED = { body: { status: 'FAILED', error: 'not now' } };
const KEY = /^\/v1\/writes\/(.+)$/;

/** The payment of a request; recipients and amounts as in `paymentParameters`. */
function readPayment(body: string, user: number): Payment {
	const { args = [], value } = JSON.parse(body) as { args?: string[]; value?: string };
	const to = getBytes(String(args[0])).at(-1) ?? 0;
	return { user, to, amount: value ? Number(value) : Number(args[1]) / 10 ** 6 };
}

/** An answer as received, sent on unchanged. */
const sentOn = ({ status, data, headers }: AxiosResponse<string>): Answer => ({
	status,
	body: data,
	headers: {
		'content-type': String(headers['content-type'] ?? 'application/json'),
		'idempotency-replayed': String(headers['idempotency-replayed'] ?? 'false'),
	},
});

/** The road from the lists to a service: it loses requests and answers, and records the payments. */
export class Road {
	readonly #lists = new Map<string, Passages>();

	readonly #target: AxiosInstance | undefined;

	readonly #world = new ScriptedWorld();

	/** @param target the service that keeps writes; without one, the road ends at one that keeps none */
	constructor(road: ScriptedService, target?: AxiosInstance) {
		this.#target = target;
		this.#world.profiles[ALICE.id] = ALICE;
		road.script = async (request) => await this.#answer(request);
	}

	add(name: string, passages: Passages): void {
		this.#lists.set(name, passages);
	}

	remove(name: string): void {
		this.#lists.delete(name);
	}

	async #answer(request: ScriptedRequest): Promise<Answer> {
		const [, name = '', path = ''] = /^\/([^/]*)(.*)$/.exec(request.path) ?? [];
		const passages = this.#lists.get(name);
		if (passages === undefined) return 'cut';
		const key = KEY.exec(path)?.[1];
		const isWrite = path === WRITE || (key !== undefined && request.method === 'PUT');
		if (!isWrite && key === undefined && path !== '/v1/attempts')
			return await this.#plain(request, path);
		const session = Number(request.headers[SESSION_HEADER]);
		const end = await passages.meet(session, isWrite);
		const pass = async (fate: Fate) =>
			await this.#pass({ request, path, isWrite, session, passages }, fate);
		if (end === 'done') await pass('cut after');
		if (end === 'late') passages.keepLate(session, async () => void (await pass('cut after')));
		if (end === undefined) return await pass(passages.nextFate());
		await passages.ended;
		return 'cut';
	}

	/** A request about nothing that is paid. */
	async #plain({ method, body, authorization }: ScriptedRequest, url: string): Promise<Answer> {
		if (this.#target)
			return sentOn(await this.#send({ method, body, authorization, headers: {} }, url));
		if (url === '/v1/service') return { status: 404, body: { error: 'unknown route' } };
		return this.#world.answerTo(url, body);
	}

	async #send(
		{
			method,
			body,
			authorization,
			headers,
		}: Pick<ScriptedRequest, 'method' | 'body' | 'authorization' | 'headers'>,
		url: string,
	) {
		const labels = Object.entries(headers).filter(([name]) => name.startsWith('write-'));
		return (await Object(this.#target).request({
			method,
			url,
			transformResponse: (text: string) => text,
			...(body !== '' && { data: body }),
			headers: {
				authorization,
				...Object.fromEntries(labels),
				...(body !== '' && { 'content-type': 'application/json' }),
			},
		})) as AxiosResponse<string>;
	}

	/** Lets the service do a request. @returns its answer, and the transaction that it caused */
	async #work(request: ScriptedRequest, path: string, isWrite: boolean) {
		if (this.#target === undefined) {
			const hash = hexlify(randomBytes(32));
			return { answer: { body: { status: 'SUCCESS', hash, tx: {} } } as Answer, hash };
		}
		const response = await this.#send(request, path);
		const { hash } = JSON.parse(response.data) as { hash?: string };
		const isRepeat = String(response.headers['idempotency-replayed']) === 'true';
		const isNew = isWrite && response.status < 300 && !isRepeat;
		return { answer: sentOn(response), hash: isNew ? hash?.toLowerCase() : undefined };
	}

	async #pass(
		{
			request,
			path,
			isWrite,
			session,
			passages,
		}: {
			readonly request: ScriptedRequest;
			readonly path: string;
			readonly isWrite: boolean;
			readonly session: number;
			readonly passages: Passages;
		},
		fate: Fate,
	): Promise<Answer> {
		const isDone = fate === 'ok' || fate.endsWith('after');
		const done = isDone ? await this.#work(request, path, isWrite) : undefined;
		const user = passages.tokens.indexOf(request.authorization.replace(/^Bearer /, ''));
		passages.sendings.push({
			session,
			hash: done?.hash,
			payment: isWrite ? readPayment(request.body, user) : undefined,
			isLost: fate === 'error after' || fate.startsWith('cut'),
			isRefused: fate === 'refused' || fate === 'page',
		});
		// What would be believed of an earlier payment is true.
		if (fate === 'refused' && isWrite) return REFUSED;
		if (fate === 'refused' || fate === 'page') return PAGE;
		return done === undefined || fate === 'cut after' ? 'cut' : fate === 'ok' ? done.answer : ERROR;
	}
}
