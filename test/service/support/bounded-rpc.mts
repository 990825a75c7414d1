import axios from 'axios';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import type { LocalServer } from '../../../tools/network/local-server.mts';

/**
 * A JSON-RPC endpoint in front of anvil that acts like a provider's: it refuses requests for the logs of many blocks and
 * the commands of development chains.
 */
export interface BoundedRpc extends LocalServer {
	/** The requested blocks of logs, in order. */
	asked: { from: number; to: number }[];
}

interface Call {
	id: number;
	method: string;
	params: [{ fromBlock: string; toBlock: string }];
}

/** @param maxBlocks maximum number of blocks in one request for logs */
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
			// Also if an end is a name such as "latest", which is not a number.
			if (!(to - from < maxBlocks)) {
				const message = `query exceeds max block range ${maxBlocks}`;
				return { jsonrpc: '2.0', id, error: { code: -32602, message } };
			}
		}
		return (await axios.post(rpcUrl, call)).data;
	}
	const server = await startJsonServer(async (_path, body) => {
		// From ethers, which sends simultaneous calls as one array.
		const calls = body as Call | Call[];
		return Array.isArray(calls) ? await Promise.all(calls.map(answer)) : await answer(calls);
	});
	return { ...server, asked };
}
