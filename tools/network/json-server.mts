import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const JSON_TYPE = 'application/json';

/** A web server of this machine. */
export interface LocalServer {
	/** Its address, without a trailing slash. */
	url: string;
	/** Ends all connections and waits until nothing listens any more. */
	stop(): Promise<void>;
}

/** An answer that is not a JSON value with status 200. */
export class OtherAnswer {
	readonly status: number;
	readonly contentType: string;
	readonly body: string;

	constructor(status: number, contentType: string, body: string) {
		this.status = status;
		this.contentType = contentType;
		this.body = body;
	}
}

/**
 * Starts a web server that takes and gives JSON, on any free port of this machine.
 *
 * @param answer - Makes the answer to a path and the request's JSON value, `undefined` when it has none: a JSON value or an
 * {@link OtherAnswer}. What it throws is answered with status 400 and the message, in the form of the OpenAI API's errors.
 */
export async function startJsonServer(
	answer: (path: string, body: unknown) => unknown,
): Promise<LocalServer> {
	const server = createServer((request, response) => {
		void text(request)
			.then((body) => answer(request.url ?? '', body === '' ? undefined : JSON.parse(body)))
			.catch((error: unknown) => {
				const body = JSON.stringify({ error: { message: String(error) } });
				return new OtherAnswer(400, JSON_TYPE, body);
			})
			.then((value) => {
				const isOther = value instanceof OtherAnswer;
				response.writeHead(isOther ? value.status : 200, {
					'content-type': isOther ? value.contentType : JSON_TYPE,
				});
				response.end(isOther ? value.body : JSON.stringify(value));
			});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
	return {
		url: `http://127.0.0.1:${address.port}`,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
