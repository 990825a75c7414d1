import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { doesWork, type Fault } from './fault.mts';
import { FaultRegistry } from './registry.mts';
import { replacementFor } from './replacement.mts';
import { RequestLog, type LoggedRequest } from './requestLog.mts';
import { faultRoutes } from './routes.mts';
import { brokenHalfway, slowly } from './spoiled.mts';

const DEFAULT_DELAY_MS = 100;
const DEFAULT_PIECE_BYTES = 64;

/** What is known about a request under way. */
interface Tracked {
	logged: LoggedRequest;
	fault?: Fault;
	/** Counts the request as answered, once. */
	leave(): void;
}

function drop(request: FastifyRequest, leave: () => void): void {
	// The client may be back before the server has noticed that the connection is closed.
	leave();
	request.raw.socket.destroy();
}

/** Answers, or does not, instead of the service. */
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

/** Turns the service's own answer into what the fault makes of it. */
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

/**
 * Lets tests program failures of the routes under `/v1` through `/faults`, and see which requests arrived.
 * Call it before the routes are added.
 */
export function installFaults(app: FastifyInstance): void {
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
		const fault = registry.take(request.method, entry.logged.path);
		if (fault) {
			entry.fault = fault;
			entry.logged.fault = fault.kind;
			if (fault.kind === 'latency') await setTimeout(fault.params.ms ?? DEFAULT_DELAY_MS);
			if (!doesWork(fault)) answerInstead(fault, request, reply, entry.leave);
		}
		return Object.assign(Readable.from(body), { receivedEncodedLength: body.length });
	});

	app.addHook('onSend', async (request, reply, payload) => {
		const entry = tracked.get(request);
		if (!entry?.fault) return payload;
		return await spoil(entry.fault, request, reply, String(payload), entry.leave);
	});

	void app.register(faultRoutes, { prefix: '/faults', registry, log });
}
