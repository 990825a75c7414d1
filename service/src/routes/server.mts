import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import Fastify, {
	type FastifyInstance,
	type FastifyRequest,
	type FastifyServerOptions,
} from 'fastify';
import { NamedTwice, parseUnambiguous, TooLarge } from '../input/exact-json.mts';
import { InputError } from '../input/input-error.mts';
import { Connections, mostConnections } from './connections.mts';
import { answerErrors, RequestError, sendError } from './errors.mts';

/** Refusals of requests that are not HTTP, by the code of the failure. */
const UNREADABLE: Partial<Record<string, [status: number, problem: string]>> = {
	ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
	HPE_HEADER_OVERFLOW: [431, 'The URL and the headers are too long'],
};

/** Values in a body, which are hardly more than the arguments of a function: each has a type in its signature. */
const MOST_VALUES = 5_000;

/** The encoding in a media type. */
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i;

/** The text of a body, which is UTF-8 alone: of another encoding, a reader could make other characters. @throws RequestError, InputError */
function textOf(body: Buffer, type = ''): string {
	const [, charset = 'utf-8'] = CHARSET.exec(type) ?? [];
	if (!/^utf-?8$/i.test(charset) || !isUtf8(body)) {
		throw new RequestError(415, 'request_refused', 'The body must be in UTF-8');
	}
	const text = body.toString();
	if (text.startsWith('\ufeff')) throw new InputError('body', 'begins with a byte order mark');
	return text;
}

/** @throws InputError */
function parseBody(text: string): unknown {
	try {
		return parseUnambiguous(text, MOST_VALUES, JSON.parse);
	} catch (cause) {
		const problem =
			cause instanceof TooLarge
				? 'has too many values, or is nested too deeply'
				: cause instanceof NamedTwice
					? 'has a name twice'
					: 'is not valid JSON';
		throw new InputError('body', problem, { cause });
	}
}

/** Answers on a connection whose requests cannot be read any more, and ends it. */
function refuse(socket: Duplex, status: number, problem: string): void {
	const body = JSON.stringify(new RequestError(status, 'request_refused', problem).answer);
	const head = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		'Content-Type: application/json; charset=utf-8',
		`Content-Length: ${Buffer.byteLength(body)}`,
		'Connection: close',
	];
	if (socket.writable) socket.write([...head, '', body].join('\r\n'));
	socket.destroy();
}

/** Creates a server that refuses every request in the one form of errors, also one that reaches no route. */
export function createServer(options: FastifyServerOptions): FastifyInstance {
	const app: FastifyInstance = Fastify({
		...options,
		// The check of the host refuses requests without one.
		http: { requireHostHeader: false },
		// A request that has begun to arrive is answered during a stop, too.
		return503OnClosing: false,
		frameworkErrors({ statusCode = 400 }, request, reply) {
			const field = 'url';
			const error =
				statusCode === 414
					? new RequestError(414, 'request_refused', 'A part of the URL is too long', { field })
					: new RequestError(400, 'invalid_request', 'The URL is not percent-encoded', { field });
			sendError(error, request, reply);
		},
		clientErrorHandler({ code = '' }, socket) {
			const [status, problem] = UNREADABLE[code] ?? [400, 'The request is not HTTP'];
			// A refusal would be taken for the answer to an earlier request, which may be a write.
			if (connections.isInUse(socket)) socket.destroy();
			else refuse(socket, status, problem);
		},
	});
	answerErrors(app);
	// Fastify would take a text for a body, instead of refusing its type.
	app.removeContentTypeParser('text/plain');
	// Many clients name the type of every request, also of a DELETE without a body.
	app.addContentTypeParser(
		'application/json',
		{ parseAs: 'buffer' },
		async ({ headers }: FastifyRequest, body: Buffer) => {
			if (!/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
				throw new RequestError(415, 'request_refused', 'The body must not be compressed');
			}
			const text = textOf(body, headers['content-type']);
			return text === '' ? undefined : parseBody(text);
		},
	);
	const { server } = app;
	const connections = new Connections(server, mostConnections());
	// An expectation that is not known may be ignored.
	server.on('checkExpectation', (request, response) => server.emit('request', request, response));
	server.on('connect', (_request, socket) => refuse(socket, 405, 'This service is not a proxy'));
	return app;
}
