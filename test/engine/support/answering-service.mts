import { EventEmitter, once } from 'node:events';
import { json } from 'node:stream/consumers';
import { startLocalServer } from '../../../tools/network/local-server.mts';

/** What the service answers; `cut` closes the connection without an answer, `hold` never answers. */
export type GivenAnswer =
	| 'cut'
	| 'hold'
	| {
			readonly status?: number;
			readonly headers?: Record<string, string>;
			/** Text as it is, anything else as JSON. */
			readonly body?: unknown;
	  };

/** A write that reached the service. */
export interface ReceivedWrite {
	readonly address: string;
	readonly abi: string;
	readonly args?: string[];
	readonly value?: string;
}

/** A service without a chain, which answers each write as a test wants it. */
export interface AnsweringService extends AsyncDisposable {
	readonly baseUrl: string;
	/** What the service received, in order. */
	readonly writes: ReceivedWrite[];
	/** Most writes that were under way at the same time. */
	readonly mostAtOnce: () => number;
	/** Answers of the next writes, in order; afterwards each write succeeds with a hash of its own. */
	answer(...answers: GivenAnswer[]): void;
	/** Fulfilled when so many writes were received. */
	received(count: number): Promise<void>;
}

/** The hash of the nth write that succeeds, from 1. */
export const hashOf = (write: number): string => `0x${write.toString(16).padStart(64, '0')}`;

export async function startAnsweringService(): Promise<AnsweringService> {
	const answers: GivenAnswer[] = [];
	const writes: ReceivedWrite[] = [];
	let underWay = 0;
	let mostAtOnce = 0;
	const events = new EventEmitter();
	const server = await startLocalServer(async (request, response) => {
		if (request.method !== 'POST') return void response.end('{}');
		underWay += 1;
		mostAtOnce = Math.max(mostAtOnce, underWay);
		response.on('close', () => (underWay -= 1));
		writes.push((await json(request)) as ReceivedWrite);
		events.emit('write');
		const success: GivenAnswer = {
			body: { status: 'SUCCESS', hash: hashOf(writes.length), tx: { type: 2 } },
		};
		const answer = answers.shift() ?? success;
		if (answer === 'hold') return;
		if (answer === 'cut') return void response.destroy();
		const { status = 200, headers = {}, body = '' } = answer;
		response.writeHead(status, headers);
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	});
	return {
		baseUrl: server.url,
		writes,
		mostAtOnce: () => mostAtOnce,
		answer: (...more) => answers.push(...more),
		async received(count) {
			while (writes.length < count) await once(events, 'write');
		},
		[Symbol.asyncDispose]: server.stop,
	};
}
