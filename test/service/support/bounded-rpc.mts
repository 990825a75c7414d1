import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import axios from 'axios';

/**
 * A JSON-RPC endpoint in front of anvil that is like a provider's: it refuses requests for the logs of many blocks, and
 * knows no commands of development chains.
 */
export interface BoundedRpc {
	url: string;
	/** The blocks that logs were asked for, in order. */
	asked: { from: number; to: number }[];
	stop(): Promise<void>;
}

interface Call {
	id: number;
	method: string;
	params: [{ fromBlock: string; toBlock: string }];
}

/** @param maxBlocks the most blocks that one request for logs may span */
export async function startBoundedRpc(rpcUrl: string, maxBlocks: number): Promise<BoundedRpc> {
	const asked: BoundedRpc['asked'] = [];
	async function answer(call: Call): Promise<unknown> {
		const { id, method, params } = call;
		if (/^(?:anvil|evm)_/.test(method)) {
			return { jsonrpc: '2.0', id, error: { code: -32601, message: 'method not found' } };
		}
		if (method === 'eth_getLogs') {
			const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
			asked.push({ from, to });
			// Also when an end is a name such as "latest", which is no number.
			if (!(to - from < maxBlocks)) {
				const message = `query exceeds max block range ${maxBlocks}`;
				return { jsonrpc: '2.0', id, error: { code: -32602, message } };
			}
		}
		return (await axios.post(rpcUrl, call)).data;
	}
	async function read(request: IncomingMessage): Promise<Call | Call[]> {
		// Written by ethers, which puts calls that it makes at once into one array.
		return JSON.parse((await buffer(request)).toString());
	}
	const server = createServer(async (request, response) => {
		const calls = await read(request);
		const answers = Array.isArray(calls)
			? await Promise.all(calls.map(answer))
			: await answer(calls);
		response.setHeader('content-type', 'application/json').end(JSON.stringify(answers));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port');
	return {
		url: `http://127.0.0.1:${address.port}`,
		asked,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
