/** What strangers may log: it must not stop the history of anybody. */
import axios from 'axios';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import type { TransferRow } from '../../service/src/store/tables.mts';
import { Resources } from '../support/resources.mts';
import { startEndpoint, type RpcRequest } from './support/endpoint.mts';
import { addWallets, indexOf, readAll, rowsIn, walletAt } from './support/indexed.mts';
import { useTransferChain, type TransferChain } from './support/transfer-chain.mts';

const [ANNA, STRANGER] = [walletAt(0), walletAt(1_000)];

const chains = useTransferChain(async ({ provider }) => {
	await provider.send('evm_setBlockGasLimit', ['0x77359400']);
});

const ask = async ({ method, params }: RpcRequest) =>
	(await axios.post(chains().rpcUrl, { jsonrpc: '2.0', id: 1, method, params })).data;

/** Makes a block, which an endpoint reads. @returns the reading, and the rows of the block in the database */
async function readThrough(
	own: Resources,
	make: (chain: TransferChain) => Promise<unknown>,
	treat: Parameters<typeof startEndpoint>[1],
): Promise<{ read(): Promise<void>; rows(): Promise<TransferRow[]> }> {
	const { chain, rpcUrl } = chains();
	const db = await openDatabase(':memory:');
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	await addWallets(db, 1);
	await readAll(indexOf(db, await Endpoints.connect([rpcUrl])));
	await make(chain);
	await chain.mine();
	const { url } = await own.use(startEndpoint(rpcUrl, treat));
	const endpoints = await Endpoints.connect([url]);
	const made = await chain.provider.getBlockNumber();
	return {
		read: async () => await readAll(indexOf(db, endpoints)),
		rows: async () => (await rowsIn(db)).filter(({ block }) => block === made),
	};
}

const crowd = async (chain: TransferChain) =>
	await chain.logAll(
		Array.from({ length: 120 }, () => ({ from: STRANGER, to: ANNA, amounts: [1n] })),
	);

test('a block with more logs than the endpoint returns is read from its receipts', async () => {
	await using own = new Resources();
	const { read, rows } = await readThrough(own, crowd, async (request) => {
		if (request.method !== 'eth_getLogs') return undefined;
		const { result } = await ask(request);
		const isTooLong = result.length > 100;
		return isTooLong ? { error: { code: -32005, message: 'more than 100 results' } } : { result };
	});
	await read();
	expect(await rows()).toHaveLength(120);
});

test('a block whose receipts the endpoint does not have is not taken for an empty one', async () => {
	await using own = new Resources();
	const { read, rows } = await readThrough(own, crowd, async (request) => {
		if (/Receipts?$/.test(request.method)) return { result: null };
		if (request.method !== 'eth_getLogs') return undefined;
		return { result: (await ask(request)).result.slice(0, 100) };
	});
	await expect(read()).rejects.toThrow(/No endpoint has the block/);
	expect(await rows()).toEqual([]);
});

test('many transfers of nothing in a transaction cost one request, also if nobody knows its sender', async () => {
	await using own = new Resources();
	let asked = 0;
	const { read, rows } = await readThrough(
		own,
		async (chain) => {
			await chain.log({ from: ANNA, to: STRANGER, standard: 1155, amounts: Array(90).fill(0n) });
			await chain.log({ from: STRANGER, to: ANNA, amounts: [4n] });
		},
		({ method }) => {
			if (method !== 'eth_getTransactionByBlockHashAndIndex') return undefined;
			asked += 1;
			return { result: null };
		},
	);
	await read();
	expect(await rows()).toMatchObject([{ value: '4' }]);
	expect(asked).toBe(1);
});
