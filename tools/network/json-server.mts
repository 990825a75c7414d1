import { text } from 'node:stream/consumers';
import { startLocalServer, type LocalServer } from './local-server.mts';

/**
 * Starts a JSON server on any free port of this machine.
 *
 * @param answer - Returns the answer to a path and the request's JSON value (`undefined` without a body): a JSON value,
 * sent with status 200, or a `Response`. An error becomes status 400 with its message, in the format of the OpenAI API.
 */
export async function startJsonServer(
	answer: (path: string, body: unknown) => unknown,
): Promise<LocalServer> {
	return await startLocalServer((request, response) => {
		void text(request)
			.then((body) => answer(request.url ?? '', body === '' ? undefined : JSON.parse(body)))
			.catch((error: unknown) => {
				return Response.json({ error: { message: String(error) } }, { status: 400 });
			})
			.then(async (value) => {
				const reply = value instanceof Response ? value : Response.json(value);
				const body = await reply.text();
				response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(body);
			});
	});
}
