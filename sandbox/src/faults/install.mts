import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { setConditions } from '../conditions.mts';
import type { User } from '../../../service/src/store/users.mts';
import type { DevelopmentChain } from '../chain/development-chain.mts';
import { conditionsFrom, moveChain } from './effects.mts';
import { doesWork, type Fault } from './fault.mts';
import { FaultRegistry } from './registry.mts';
import { isAboutAnswer } from './stages.mts';
import { replacementFor } from './replacement.mts';
import { RequestLog, type LoggedRequest } from './request-log.mts';
import { faultRoutes } from './routes.mts';
import { brokenHalfway, slowly } from './spoiled.mts';

const DEFAULT_DELAY_MS = 100;
const DEFAULT_PIECE_BYTES = 64;

/** State of a pending request. */
interface Tracked {
	logged: LoggedRequest;
	fault?: Fault;
	/** Counts the request as answered; only the first call counts. */
	leave(): void;
}

function drop(request: FastifyRequest, leave: () => void): void {
	// The client may send again before the server notices that the connection is closed.
	leave();
	request.raw.socket.destroy();
}

/** Answers in place of the service, or not at all. */
function answerInstead(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	leave: () => void,
): void {
	reply.hijack();
	if (fault.kind === 'hang') return;
	if (fault.kind === 'drop-before') {
		drop(request, leave);
		return;
	}
	const { status, headers, body } = replacementFor(fault, request.headers.authorization ?? '');
	reply.raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
	reply.raw.end(body);
}

/** Applies the fault to the service's own answer. */
async function spoil(
	fault: Fault,
	request: FastifyRequest,
	reply: FastifyReply,
	body: string,
	leave: () => void,
): Promise<unknown> {
	const { kind, params } = fault;
	switch (kind) {
		case 'latency':
			return body;
		case 'drop-before':
		case 'drop-after':
			drop(request, leave);
			return body;
		case 'hang':
			await once(request.raw.socket, 'close');
			return body;
		case 'truncated-json':
			if (!params.closeEarly) return body.slice(0, body.length / 2);
			reply.header('content-length', Buffer.byteLength(body));
			return brokenHalfway(body).once('error', leave);
		case 'slow-drip':
			reply.header('content-length', Buffer.byteLength(body));
			return slowly(body, params.bytes ?? DEFAULT_PIECE_BYTES, params.ms ?? DEFAULT_DELAY_MS);
		default: {
			const answer = replacementFor(fault, request.headers.authorization ?? '');
			reply.code(answer.status).headers(answer.headers);
			return answer.body;
		}
	}
}

/** A stream of a body that has already been read. */
function again(body: Buffer): RequestPayload {
	return Object.assign(Readable.from(body), { receivedEncodedLength: body.length });
}

/**
 * Lets tests program failures of the routes under `/v1` through `/faults`, and list the requests that arrived. Written by
 * hand: most faults depend on whether the request was processed, or change the chain, so a proxy in front of the service
 * could not implement them. Call it before adding the routes.
 *
 * @param options.callerOf the user of the access token in a request
 * @param options.expireToken ends the access token in a request, if it was issued by OAuth2
 * @param options.afterReorganisation called after blocks were undone
 */
export function installFaults(
	app: FastifyInstance,
	options: {
		chain: DevelopmentChain;
		callerOf(request: FastifyRequest): Promise<User | undefined>;
		expireToken(request: FastifyRequest): Promise<void>;
		afterReorganisation(): Promise<void>;
	},
): void {
	const { chain, callerOf, expireToken, afterReorganisation } = options;
	const registry = new FaultRegistry();
	const log = new RequestLog();
	const tracked = new WeakMap<FastifyRequest, Tracked>();

	app.addHook('onRequest', async (request, reply) => {
		const [path = ''] = request.url.split('?');
		if (!path.startsWith('/v1/')) return;
		const logged: LoggedRequest = {
			method: request.method,
			path,
			time: new Date().toISOString(),
			bodyDigest: null,
			authorization: request.headers.authorization !== undefined,
			fault: null,
		};
		const leave = log.arrived(logged);
		reply.raw.once('close', leave);
		tracked.set(request, { logged, leave });
	});

	app.addHook('preParsing', async (request, reply, payload) => {
		const entry = tracked.get(request);
		if (!entry) return payload;
		const body = await buffer(payload);
		entry.logged.bodyDigest = createHash('sha256').update(body).digest('hex');
		const caller = registry.asksForCaller ? (await callerOf(request))?.id : undefined;
		const faults = registry.take({ method: request.method, path: entry.logged.path, caller });
		if (faults.length === 0) return again(body);
		entry.logged.fault = faults.map(({ kind }) => kind).join(',');
		if (faults.some(({ kind }) => kind === 'expire-token')) await expireToken(request);
		await moveChain(chain.provider, faults, afterReorganisation);
		setConditions(request, conditionsFrom(faults));
		const fault = faults.find(({ kind }) => isAboutAnswer(kind));
		if (fault) {
			entry.fault = fault;
			if (fault.kind === 'latency') await setTimeout(fault.params.ms ?? DEFAULT_DELAY_MS);
			if (!doesWork(fault)) answerInstead(fault, request, reply, entry.leave);
		}
		return again(body);
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const entry = tracked.get(request);
		if (!entry?.fault) return payload;
		return await spoil(entry.fault, request, reply, String(payload), entry.leave);
	});

	void app.register(faultRoutes, { prefix: '/faults', registry, log });
}
