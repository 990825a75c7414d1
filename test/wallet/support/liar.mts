/** A JSON-RPC endpoint that passes requests on to a real one, or loses, delays and falsifies them, reproducibly. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { keccak256 } from 'ethers';
import type { ChosenLies } from './chosen-lies.mts';
import { randomNumbers } from '../../support/random-numbers.mts';

interface RpcRequest {
	id: number;
	method: string;
	params: unknown[];
}

interface RpcAnswer {
	jsonrpc?: string;
	id: number;
	result?: unknown;
	error?: object;
}

/** How a request is treated. `pass` asks the real endpoint. */
type Treatment = (request: RpcRequest, pass: () => Promise<RpcAnswer>) => Promise<RpcAnswer>;

/** How everything that arrives together is treated; `work` has the answers. */
type Transport = (response: ServerResponse, work: () => Promise<string>) => Promise<void>;

const send = (response: ServerResponse, content: string, status = 200) => {
	response.writeHead(status, { 'content-type': 'application/json' }).end(content);
};

/** Refuses a transaction although it passes it on. */
const takenBut = (message: string): Treatment => {
	return async ({ id }, pass) => {
		await pass();
		return { id, error: { code: -32000, message } };
	};
};

const nothing: Treatment = async ({ id }) => ({ id, result: null });

const fallBack = (blocks: number): Treatment => {
	return async ({ id }, pass) => {
		const behind = Math.max(0, Number((await pass()).result) - blocks);
		return { id, result: `0x${behind.toString(16)}` };
	};
};

const TRANSPORTS: Transport[] = [
	async (response) => void response.socket?.destroy(),
	async (response, work) => {
		await work();
		response.socket?.destroy();
	},
	async (response, work) => {
		await setTimeout(700);
		send(response, await work());
	},
	async (response, work) => send(response, (await work()).slice(0, -9)),
	async (response) => send(response, '<!doctype html><h1>Busy</h1>', 503),
	async (response) => send(response, 'Too Many Requests', 429),
	async (response, work) => send(response, (await work()).replaceAll('"id":', '"id":-')),
];

const TREATMENTS: Partial<Record<string, Treatment[]>> = {
	eth_sendRawTransaction: [
		takenBut('already known'),
		takenBut('nonce too low'),
		takenBut('replacement transaction underpriced'),
		takenBut('transaction underpriced'),
		// Accepted, but never passed on.
		async ({ id, params }) => ({ id, result: keccak256(String(params[0])) }),
	],
	eth_getTransactionReceipt: [nothing],
	eth_getTransactionByHash: [nothing],
	eth_getLogs: [
		async ({ id }) => ({ id, error: { code: -32005, message: 'query returned too many results' } }),
	],
	eth_blockNumber: [fallBack(3)],
	eth_getTransactionCount: [fallBack(2)],
};

export interface Liar extends AsyncDisposable {
	url: string;
	/** Number of requests, and of those that were not simply passed on. */
	readonly counts: { requests: number; faults: number };
	/** Ends the faults. */
	becomeHonest(): void;
}

/**
 * Starts a lying endpoint.
 *
 * @param share share of the requests that it treats badly, from 0 to 1
 * @param chosen what it tells although it is not so; nothing if undefined
 */
export async function startLiar(
	rpcUrl: string,
	seed: number,
	share: number,
	chosen?: ChosenLies,
): Promise<Liar> {
	const random = randomNumbers(seed);
	const counts = { requests: 0, faults: 0 };
	let isHonest = false;
	/** One of the faults, or none most of the time. */
	const pick = <T,>(faults: readonly T[] = []): T | undefined => {
		if (isHonest || faults.length === 0 || random() >= share) return undefined;
		counts.faults += 1;
		return faults[Math.floor(random() * faults.length)];
	};
	const pass = async (request: RpcRequest): Promise<RpcAnswer> => {
		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify(request);
		const answer: RpcAnswer = await (await fetch(rpcUrl, { method: 'POST', headers, body })).json();
		return answer;
	};
	const treat = async (request: RpcRequest): Promise<RpcAnswer> => {
		const treatment = pick(TREATMENTS[request.method]) ?? (() => pass(request));
		const { id, ...answer } = await treatment(request, () => pass(request));
		return { id, ...(chosen?.bend(request, answer) ?? answer), jsonrpc: '2.0' };
	};
	const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const asked: RpcRequest | RpcRequest[] = JSON.parse(await text(incoming));
		counts.requests += 1;
		const work = async () =>
			JSON.stringify(
				Array.isArray(asked) ? await Promise.all(asked.map(treat)) : await treat(asked),
			);
		const transport = pick(TRANSPORTS);
		if (transport) await transport(response, work);
		else send(response, await work());
	};
	const server = createServer((incoming, response) => {
		handle(incoming, response).catch(() => response.socket?.destroy());
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		counts: {
			get requests() {
				return counts.requests;
			},
			get faults() {
				return counts.faults + (chosen?.told ?? 0);
			},
		},
		becomeHonest() {
			isHonest = true;
			chosen?.becomeHonest();
		},
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
