/** The index of the history: what it reads from endpoints with limits, and what it leaves out. */
import axios from 'axios';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { markUsedBefore } from '../../service/src/store/cursors.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Database } from '../../service/src/store/tables.mts';
import { Resources } from '../support/resources.mts';
import { startEndpoint, type RpcRequest } from './support/endpoint.mts';
import {
	addWallets,
	BUSY_MS,
	indexOf,
	readAll,
	rowsFromScratch,
	rowsIn,
	walletAt,
} from './support/indexed.mts';
import { DATABASES, postgresUrl, type DatabaseKind } from './support/network-and-service.mts';
import { useTransferChain } from './support/transfer-chain.mts';

const STRANGER = walletAt(1_000);
const [ANNA, BERT] = [walletAt(0), walletAt(1)];

const chains = useTransferChain();

/** A database with two wallets of a seed that was used before. */
async function newDatabase(own: Resources, kind: DatabaseKind = 'sqlite'): Promise<Database> {
	const db = await openDatabase(kind === 'sqlite' ? ':memory:' : await postgresUrl(own));
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	await markUsedBefore(db);
	await addWallets(db, 2);
	return db;
}

/** An endpoint that treats requests for logs. */
async function endpointThat(
	own: Resources,
	treat: (request: RpcRequest & { blocks: number }) => object | Promise<object> | undefined,
): Promise<Endpoints> {
	const { url } = await own.use(
		startEndpoint(chains().rpcUrl, (request) => {
			if (request.method !== 'eth_getLogs') return undefined;
			const [{ fromBlock, toBlock }] = request.params as [{ fromBlock: string; toBlock: string }];
			return treat({ ...request, blocks: Number(toBlock) - Number(fromBlock) + 1 });
		}),
	);
	return await Endpoints.connect([url], { limitMs: BUSY_MS });
}

const receive = async (to: string, amount: bigint) =>
	await chains().chain.log({ from: STRANGER, to, amounts: [amount] });

describe.each(DATABASES)('on %s', (kind) => {
	test('an endpoint that takes ten blocks per request gives the same history', async () => {
		await using own = new Resources();
		const { chain, rpcUrl } = chains();
		for (let block = 0; block < 100; block++) {
			await receive(ANNA, BigInt(block + 1));
			await chain.mine();
		}
		await chain.mine(100);
		const tooMany = { error: { code: -32602, message: 'block range is limited to 10 blocks' } };
		let refused = 0;
		let asked = 0;
		const endpoints = await endpointThat(own, ({ blocks }) => {
			asked += 1;
			if (blocks <= 10) return undefined;
			refused += 1;
			return tooMany;
		});
		const db = await newDatabase(own, kind);
		await readAll(indexOf(db, endpoints));
		const rows = await rowsIn(db);
		expect(rows.length).toBeGreaterThanOrEqual(100);
		expect(rows).toEqual(await rowsFromScratch(rpcUrl, 2));
		expect(refused).toBeLessThan(asked / 3);
	});
});

test('an endpoint that cuts its answers after 500 logs, without a word, hides none', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const received = (length: number) =>
		Array.from({ length }, (_unused, index) => {
			return { from: STRANGER, to: BERT, amounts: [BigInt(index + 1)] };
		});
	for (let block = 0; block < 12; block++) {
		await chain.logAll(received(45));
		await chain.mine();
	}
	// More in one block than the endpoint lists.
	await chain.provider.send('evm_setBlockGasLimit', ['0x77359400']);
	await chain.logAll(received(620));
	await chain.mine(101);
	let longest = 0;
	const endpoints = await endpointThat(own, async ({ method, params }) => {
		const { data } = await axios.post(rpcUrl, { jsonrpc: '2.0', id: 1, method, params });
		longest = Math.max(longest, data.result.length);
		return { result: data.result.slice(0, 500) };
	});
	const db = await newDatabase(own);
	await readAll(indexOf(db, endpoints));
	const rows = await rowsIn(db);
	const blocks = Map.groupBy(rows, ({ block }) => block);
	expect(Math.max(...[...blocks.values()].map(({ length }) => length))).toBe(620);
	expect(longest).toBeGreaterThan(500);
	expect(rows).toEqual(await rowsFromScratch(rpcUrl, 2));
});

test('a transfer of nothing is listed only in a transaction of the wallet itself', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	await chain.provider.send('anvil_setBalance', [ANNA, '0xde0b6b3a7640000']);
	const nothing = { from: ANNA, to: STRANGER, amounts: [0n] };
	const poison = [
		await chain.log(nothing),
		await chain.log({ from: STRANGER, to: ANNA, amounts: [0n] }),
		await chain.log({ ...nothing, standard: 1155 }),
		await chain.log({ ...nothing, standard: 1155, amounts: [0n, 0n] }),
	];
	const honest = [
		await chain.log(nothing, ANNA),
		await chain.log({ ...nothing, standard: 1155, amounts: [0n, 3n] }),
		await chain.log({ ...nothing, standard: 721 }),
	];
	await chain.mine();
	const db = await newDatabase(own);
	await readAll(indexOf(db, await Endpoints.connect([rpcUrl])));
	const rows = (await rowsIn(db)).map(({ hash, value }) => `${hash} ${value}`);
	const listed = rows.filter((row) => [...poison, ...honest].includes(row.split(' ')[0] ?? ''));
	expect(listed.sort()).toEqual([`${honest[0]} 0`, `${honest[1]} 3`, `${honest[2]} 1`].sort());
});

test('a wallet of a new seed is read from its creation, one of a used seed from the first block', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	await receive(ANNA, 77n);
	await chain.mine(600);
	await chain.provider.send('evm_increaseTime', [86_400]);
	await chain.mine(150);
	const asked: number[] = [];
	const endpoints = await endpointThat(own, ({ params, blocks }) => {
		const [{ fromBlock }] = params as [{ fromBlock: string }];
		if (blocks > 100) return { error: { code: -32005, message: 'query returned too much' } };
		asked.push(Number(fromBlock));
		return undefined;
	});
	const fresh = await openDatabase(':memory:');
	await own.use({ [Symbol.asyncDispose]: async () => await fresh.destroy() });
	await addWallets(fresh, 1);
	// Added when the chain's clock is, which is ahead of this machine's.
	const head = await chain.provider.getBlock('latest');
	const created = new Date((head?.timestamp ?? 0) * 1000).toISOString();
	await fresh.updateTable('users').set({ created_at: created }).execute();
	await readAll(indexOf(fresh, endpoints));
	expect(await rowsIn(fresh)).toEqual([]);
	expect(Math.min(...asked)).toBeGreaterThan((head?.number ?? 0) - 500);
	const restored = await newDatabase(own);
	await readAll(indexOf(restored, endpoints));
	expect(await rowsIn(restored)).toEqual(await rowsFromScratch(rpcUrl, 2));
	expect(Math.min(...asked)).toBe(0);
});

test('a wallet that is added later has its transfers in blocks that are not final', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const db = await newDatabase(own);
	const index = indexOf(db, await Endpoints.connect([rpcUrl]));
	await readAll(index);
	await receive(walletAt(2), 9n);
	await chain.mine(2);
	await readAll(index);
	await addWallets(db, 1);
	await readAll(index);
	const rows = await rowsIn(db);
	expect(rows.filter((row) => row.wallet_id === 2)).toMatchObject([{ value: '9' }]);
	expect(rows).toEqual(await rowsFromScratch(rpcUrl, 3));
});

test('what endpoints answer about a wallet without blocks behind it is not committed', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const db = await newDatabase(own);
	await readAll(indexOf(db, await Endpoints.connect([rpcUrl])));
	await receive(ANNA, 5n);
	await chain.mine();
	const before = await rowsIn(db);
	const known = await chain.provider.getBlockNumber();
	// It knows of the block, but answers as if it did not.
	const { url } = await own.use(
		startEndpoint(rpcUrl, ({ method, params }) => {
			if (method === 'eth_getLogs') return { result: [] };
			const isAboutHead = params[0] === `0x${known.toString(16)}`;
			return method === 'eth_getBlockByNumber' && isAboutHead ? { result: null } : undefined;
		}),
	);
	await readAll(indexOf(db, await Endpoints.connect([url])));
	expect(await rowsIn(db)).toEqual(before);
	await readAll(indexOf(db, await Endpoints.connect([url, rpcUrl])));
	expect(await rowsIn(db)).toHaveLength(before.length + 1);
});

test('an endpoint on another branch neither stops the reading nor undoes it', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	let isApart = false;
	const isHeader = ({ method, params }: RpcRequest) =>
		isApart && method === 'eth_getBlockByNumber' && params[0] !== '0x0';
	const { url } = await own.use(
		startEndpoint(rpcUrl, (request) => {
			if (!isHeader(request)) return undefined;
			return axios.post(rpcUrl, request).then(({ data: { result } }) => {
				return { result: { ...result, hash: `0xbad${result.hash.slice(5)}` } };
			});
		}),
	);
	const db = await newDatabase(own);
	const index = indexOf(db, await Endpoints.connect([rpcUrl, url]));
	await readAll(index);
	isApart = true;
	for (let block = 0; block < 30; block++) {
		await receive(ANNA, 4n);
		await chain.mine(4);
		await readAll(index);
	}
	expect(await rowsIn(db)).toEqual(await rowsFromScratch(rpcUrl, 2));
});

test('a reorganisation is followed at once, also below a chain that has grown', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const db = await newDatabase(own);
	const index = indexOf(db, await Endpoints.connect([rpcUrl]));
	await chain.mine(3);
	await receive(ANNA, 6n);
	await chain.mine(3);
	await readAll(index);
	await chain.reorganise(4, [{ from: BERT, to: STRANGER, amounts: [8n] }]);
	await chain.mine(2);
	await readAll(index);
	expect(await rowsIn(db)).toEqual(await rowsFromScratch(rpcUrl, 2));
});
