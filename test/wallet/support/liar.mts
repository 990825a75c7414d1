/** A JSON-RPC endpoint that passes requests on to a real one, or loses, delays and falsifies them, reproducibly. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { keccak256 } from 'ethers';
import { randomNumbers } from './random.mts';

interface RpcRequest {
	id: number;
	method: string;
	params: unknown[];
}

/** How a request is treated. `pass` asks the real endpoint. */
type Treatment = (
	request: RpcRequest,
	pass: () => Promise<string>,
	response: ServerResponse,
) => Promise<void>;

const answer = (response: ServerResponse, body: object | string, status = 200) => {
	const content = typeof body === 'string' ? body : JSON.stringify(body);
	response.writeHead(status, { 'content-type': 'application/json' }).end(content);
};

const result = ({ id }: RpcRequest, value: unknown) => ({ jsonrpc: '2.0', id, result: value });

/** Refuses a transaction although it passes it on. */
const takenBut = (message: string): Treatment => {
	return async ({ id }, pass, response) => {
		await pass();
		answer(response, { jsonrpc: '2.0', id, error: { code: -32000, message } });
	};
};

const fallBack = (blocks: number): Treatment => {
	return async (request, pass, response) => {
		const { result: head }: { result?: string } = JSON.parse(await pass());
		const behind = Math.max(0, Number(head) - blocks);
		answer(response, result(request, `0x${behind.toString(16)}`));
	};
};

/** Faults of any method, each as often as it is listed. */
const ANY: Treatment[] = [
	async (_request, _pass, response) => void response.socket?.destroy(),
	async (_request, pass, response) => {
		await pass();
		response.socket?.destroy();
	},
	async (_request, pass, response) => {
		await setTimeout(700);
		answer(response, await pass());
	},
	async (_request, pass, response) => answer(response, (await pass()).slice(0, -9)),
	async (_request, _pass, response) => answer(response, '<!doctype html><h1>Busy</h1>', 503),
	async (_request, _pass, response) => answer(response, 'Too Many Requests', 429),
	async (_request, pass, response) => {
		const other: object = JSON.parse(await pass());
		answer(response, { ...other, id: -1 });
	},
];

const BY_METHOD: Partial<Record<string, Treatment[]>> = {
	eth_sendRawTransaction: [
		takenBut('already known'),
		takenBut('nonce too low'),
		takenBut('replacement transaction underpriced'),
		takenBut('transaction underpriced'),
		// Accepted, but never passed on.
		async (request, _pass, response) => {
			answer(response, result(request, keccak256(String(request.params[0]))));
		},
	],
	eth_getTransactionReceipt: [
		async (request, _pass, response) => answer(response, result(request, null)),
	],
	eth_getTransactionByHash: [
		async (request, _pass, response) => answer(response, result(request, null)),
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
 */
export async function startLiar(rpcUrl: string, seed: number, share: number): Promise<Liar> {
	const random = randomNumbers(seed);
	const counts = { requests: 0, faults: 0 };
	let isHonest = false;
	const treatmentOf = (method: string): Treatment | undefined => {
		if (isHonest || random() >= share) return undefined;
		const own = BY_METHOD[method] ?? [];
		const all = [...own, ...own, ...ANY];
		return all[Math.floor(random() * all.length)];
	};
	const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
		const body = await text(incoming);
		const request: RpcRequest = JSON.parse(body);
		const pass = async () => {
			const headers = { 'content-type': 'application/json' };
			return await (await fetch(rpcUrl, { method: 'POST', headers, body })).text();
		};
		counts.requests += 1;
		const treatment = treatmentOf(request.method);
		if (treatment) {
			counts.faults += 1;
			await treatment(request, pass, response);
		} else {
			answer(response, await pass());
		}
	};
	const server = createServer((incoming, response) => {
		handle(incoming, response).catch(() => response.socket?.destroy());
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		counts,
		becomeHonest: () => void (isHonest = true),
		async [Symbol.asyncDispose]() {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}
