/** On a chain at `RPC_URL`, logs are read in ranges that the provider takes. */
import axios from 'axios';
import { startJsonServer } from '../../tools/network/json-server.mts';
import { untilMined } from '../support/until.mts';
import { Dollars } from './support/dollars.mts';
import { useResources } from '../support/resources.mts';
import { Service, useService } from '../support/sandbox/service.mts';

const MAX_BLOCKS = 5;
const TOO_MANY = `query exceeds max block range ${MAX_BLOCKS}`;

const own = useService();
const dollars = new Dollars(own);
const resources = useResources();
let rpcUrl: string;
/** The block ranges of all requests for logs, in order. */
const asked: { from: number; to: number }[] = [];

interface Call {
	id: number;
	method: string;
	params: [{ fromBlock: string; toBlock: string }];
}

const refused = (id: number, code: number, message: string) => {
	return { jsonrpc: '2.0', id, error: { code, message } };
};

/** Like a provider's endpoint, refuses log requests for many blocks, and all but one command for development chains. */
async function answer(call: Call): Promise<unknown> {
	const { id, method, params } = call;
	// The sandbox must know that its chain is a development chain; the rest works as with any other.
	if (method === 'anvil_getAutomine') return { jsonrpc: '2.0', id, result: false };
	if (/^(?:anvil|evm)_/.test(method)) return refused(id, -32601, 'method not found');
	if (method === 'eth_getLogs') {
		const [from, to] = [Number(params[0].fromBlock), Number(params[0].toBlock)];
		asked.push({ from, to });
		// Also true if a bound is a name such as "latest", which is not a number.
		if (!(to - from < MAX_BLOCKS)) return refused(id, -32602, TOO_MANY);
	}
	return (await axios.post(own().ready.rpcUrl, call)).data;
}

beforeAll(async () => {
	const server = await startJsonServer(async (_path, body) => {
		// ethers sends simultaneous calls as one array.
		const calls = body as Call | Call[];
		return Array.isArray(calls) ? await Promise.all(calls.map(answer)) : await answer(calls);
	});
	({ url: rpcUrl } = await resources.use(server));
});

/** Starts another service that reaches the chain through the provider's endpoint. */
async function startOnRpc(env: Record<string, string>): Promise<Dollars> {
	const service = await resources.use(Service.start({ RPC_URL: rpcUrl, ...env }));
	asked.length = 0;
	return new Dollars(() => service);
}

test('a history is complete although the endpoint takes few blocks per request', async () => {
	const onRpc = await startOnRpc({});
	const head = await own().chain.getBlockNumber();
	expect(await onRpc.hashesOf('Nelly')).toEqual(await dollars.hashesOf('Nelly'));
	const taken = asked.filter(({ from, to }) => to - from < MAX_BLOCKS);
	expect(Math.min(...taken.map(({ from }) => from))).toBe(0);
	expect(Math.max(...taken.map(({ to }) => to))).toBe(head);
	await expect(onRpc.chain.getLogs({ fromBlock: 0, toBlock: MAX_BLOCKS })).rejects.toThrow(
		TOO_MANY,
	);
});

test('logs are read no further back than the start block, once, and without commands of anvil', async () => {
	await dollars.send('Nelly', 'anna-k');
	const head = await own().chain.getBlockNumber();
	const onRpc = await startOnRpc({ SANDBOX_START_BLOCK: String(head + 1) });
	const { hash } = await onRpc.send('Nelly', 'anna-k');
	await untilMined(own().chain, hash);
	await dollars.mine(5);
	expect(await onRpc.hashesOf('Nelly')).toEqual([hash]);
	expect(Math.min(...asked.map(({ from }) => from))).toBe(head + 1);

	const last = await onRpc.send('Nelly', 'anna-k');
	await untilMined(own().chain, last.hash);
	asked.length = 0;
	expect(await onRpc.hashesOf('Nelly')).toEqual([last.hash, hash]);
	expect(Math.min(...asked.map(({ from }) => from))).toBe(head + 7);
});
