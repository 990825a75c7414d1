import { request, type Agent } from 'node:http';
import type { PlainRequest } from './calls.mts';

/** HTTP status and JSON value of an answer. */
export interface PlainAnswer {
	status: number;
	value: unknown;
}

/** Sends requests over keep-alive connections, without n8n. */
export class PlainClient {
	readonly #agent: Agent;
	readonly #baseUrl: string;
	readonly #token: string;

	/** @param agent - Keeps the connections open. */
	constructor(agent: Agent, baseUrl: string, token: string) {
		this.#agent = agent;
		this.#baseUrl = baseUrl;
		this.#token = token;
	}

	async send({ method, path, body }: PlainRequest): Promise<PlainAnswer> {
		const headers = {
			authorization: `Bearer ${this.#token}`,
			...(body !== '' && { 'content-type': 'application/json' }),
		};
		const agent = this.#agent;
		return await new Promise((resolve, reject) => {
			const outgoing = request(
				`${this.#baseUrl}${path}`,
				{ agent, method, headers },
				(response) => {
					const chunks: Buffer[] = [];
					response.on('data', (chunk: Buffer) => chunks.push(chunk));
					response.on('end', () => {
						const value: unknown = JSON.parse(Buffer.concat(chunks).toString());
						resolve({ status: response.statusCode ?? 0, value });
					});
					response.on('error', reject);
				},
			);
			outgoing.on('error', reject);
			outgoing.end(body);
		});
	}
}
