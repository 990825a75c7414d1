import { text } from 'node:stream/consumers';
import { startLocalServer, type LocalServer } from './local-server.mts';

const JSON_TYPE = 'application/json';

/** An answer other than JSON with status 200. */
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
 * Starts a JSON server on any free port of this machine.
 *
 * @param answer - Returns the answer to a path and the request's JSON value (`undefined` without a body): a JSON value or an
 * {@link OtherAnswer}. An error becomes status 400 with its message, in the format of the OpenAI API.
 */
export async function startJsonServer(
	answer: (path: string, body: unknown) => unknown,
): Promise<LocalServer> {
	return await startLocalServer((request, response) => {
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
}
