import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { startLocalServer, type LocalServer } from '../../../tools/network/local-server.mts';
import { until } from '../until.mts';

const withoutIdToken = (answer: string): string =>
	JSON.stringify({ ...JSON.parse(answer), id_token: undefined });

/** A proxy for the token endpoint that counts requests. */
export class TokenDoor implements AsyncDisposable {
	readonly #tokenUrl: string;
	readonly #server: LocalServer;
	/** Number of requests that were answered with tokens. */
	renewals = 0;
	/** Number of requests that were refused. */
	refusals = 0;
	/** If set, requests are refused with this error code (not necessarily from RFC 6749), and not forwarded. */
	refuseWith: string | undefined;
	/** Whether to omit the ID token, as a service may when it renews a sign-in. */
	leavesOutIdToken = false;
	/** If set, all requests wait for this promise. */
	closedUntil: Promise<unknown> | undefined;

	private constructor(tokenUrl: string, server: LocalServer) {
		this.#tokenUrl = tokenUrl;
		this.#server = server;
	}

	/** @param tokenUrl the real token endpoint */
	static async open(tokenUrl: string): Promise<TokenDoor> {
		const server = await startLocalServer((request, response) => door.#pass(request, response));
		const door = new TokenDoor(tokenUrl, server);
		return door;
	}

	/** The URL to use instead of the token endpoint. */
	get url(): string {
		return `${this.#server.url}/token`;
	}

	/** Resolves when this many requests have been answered with tokens. */
	async untilRenewals(count: number): Promise<void> {
		await until(async () => this.renewals >= count);
	}

	async close(): Promise<void> {
		await this.#server.stop();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.close();
	}

	async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
		await this.closedUntil;
		const error = this.refuseWith;
		const { status, data } =
			error === undefined
				? await this.#forward(request)
				: { status: 400, data: JSON.stringify({ error }) };
		if (status === 200) this.renewals += 1;
		else this.refusals += 1;
		const body = this.leavesOutIdToken ? withoutIdToken(data) : data;
		response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
	}

	async #forward(request: IncomingMessage) {
		// Forwarded for client authentication: a public client must not authenticate like one with a secret.
		const { 'content-type': contentType, authorization } = request.headers;
		return await axios.post<string>(this.#tokenUrl, await text(request), {
			headers: { 'Content-Type': contentType, Authorization: authorization },
			responseType: 'text',
			validateStatus: () => true,
		});
	}
}
