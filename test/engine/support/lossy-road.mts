import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
type Letter = Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string };

/** A road to a service on which a request can be held: its sender learns nothing, and it arrives later. */
export class LossyRoad implements AsyncDisposable {
	readonly #target: string;

	readonly #server = createServer((arriving, answering) => {
		void this.#pass(arriving).then((answer) => {
			if (answer === undefined) return answering.destroy();
			answering.writeHead(answer.status, answer.headers);
			return answering.end(answer.body);
		});
	});

	#held: Letter | undefined;

	/** Whether a request is to be held. */
	holds: (letter: Letter) => boolean = () => false;

	private constructor(target: string) {
		this.#target = target;
	}

	static async start(target: string): Promise<LossyRoad> {
		const road = new LossyRoad(target);
		road.#server.listen(0, '127.0.0.1');
		await once(road.#server, 'listening');
		return road;
	}

	get url(): string {
		const address = this.#server.address();
		if (address === null || typeof address === 'string') throw new Error('It does not listen');
		return `http://127.0.0.1:${address.port}`;
	}

	/** Lets the held request arrive. @returns the status of its answer */
	async deliver(): Promise<number> {
		if (this.#held === undefined) throw new Error('No request was held');
		return (await this.#send(this.#held)).status;
	}

	async #pass(arriving: IncomingMessage) {
		const { method, url, headers } = arriving;
		const letter = { method, url, headers, body: await text(arriving) };
		if (!this.holds(letter)) return await this.#send(letter);
		if (method === 'PUT') this.#held ??= letter;
		return undefined;
	}

	async #send({ method, url = '', headers, body }: Letter) {
		const sent = request(new URL(url, this.#target), { method, headers });
		sent.end(body);
		const [answer]: IncomingMessage[] = await once(sent, 'response');
		if (answer === undefined) throw new Error('The service has not answered');
		return { status: Number(answer.statusCode), headers: answer.headers, body: await text(answer) };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}
}
