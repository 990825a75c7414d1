import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A web server of this machine. */
export interface LocalServer {
	/** Its address, without a trailing slash. */
	url: string;
	/** Ends all connections and waits until nothing listens any more. */
	stop(): Promise<void>;
}

/**
 * Starts a web server that takes and gives JSON, on any free port of this machine.
 *
 * @param answer - Makes the answer to a path and the request's JSON value, `undefined` when it has none; a string is sent as it
 * is, as a stream of events. What it throws is answered with status 400 and the message, in the form of the OpenAI API's errors.
 */
export async function startJsonServer(
	answer: (path: string, body: unknown) => unknown,
): Promise<LocalServer> {
	const server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		void text(request)
			.then((body) => answer(request.url ?? '', body === '' ? undefined : JSON.parse(body)))
			.then((value) => {
				if (typeof value === 'string') response.setHeader('content-type', 'text/event-stream');
				response.end(typeof value === 'string' ? value : JSON.stringify(value));
			})
			.catch((error: unknown) => {
				response.statusCode = 400;
				response.end(JSON.stringify({ error: { message: String(error) } }));
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
