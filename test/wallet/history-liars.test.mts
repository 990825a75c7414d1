/** Endpoints that lie about the newest block, or leave out logs: a second one makes up for it. */
import axios from 'axios';
import { toQuantity } from 'ethers';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { markUsedBefore, readCursors } from '../../service/src/store/cursors.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { Resources } from '../support/resources.mts';
import { startEndpoint, type RpcRequest } from './support/endpoint.mts';
import {
	addWallets,
	DEPTH,
	indexOf,
	readAll,
	rowsFromScratch,
	rowsIn,
	walletAt,
} from './support/indexed.mts';
import { useTransferChain } from './support/transfer-chain.mts';

const HUGE = toQuantity(900_000_000);
const [ANNA, STRANGER] = [walletAt(0), walletAt(1_000)];

type Treatment = (request: RpcRequest) => object | Promise<object> | undefined;

const chains = useTransferChain(async (chain) => {
	for (let block = 0; block < 40; block++) {
		await chain.log({ from: STRANGER, to: ANNA, amounts: [BigInt(block + 1)] });
		await chain.mine();
	}
});

/** An index of one wallet over a lying endpoint and an honest one, and its rows. */
async function indexWith(own: Resources, treat: Treatment, isLiarFirst: boolean) {
	const { rpcUrl } = chains();
	let isLying = false;
	const { url } = await own.use(
		startEndpoint(rpcUrl, (request) => (isLying ? treat(request) : undefined)),
	);
	const db = await openDatabase(':memory:');
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	await markUsedBefore(db);
	await addWallets(db, 1);
	const urls = isLiarFirst ? [url, rpcUrl] : [rpcUrl, url];
	const endpoints = await Endpoints.connect(urls);
	const lie = () => (isLying = true);
	return { db, endpoints, index: indexOf(db, endpoints), lie };
}

/** Answers with a block, whose number is another one. */
async function renumbered({ method, params }: RpcRequest): Promise<object> {
	const { rpcUrl } = chains();
	const { data } = await axios.post(rpcUrl, { jsonrpc: '2.0', id: 1, method, params });
	return { result: { ...data.result, number: HUGE } };
}

const LIES: Record<string, Treatment> = {
	'the number of the newest block': ({ method }) =>
		method === 'eth_blockNumber' ? { result: HUGE } : undefined,
	'the newest block': (request) => {
		const { method, params } = request;
		return method === 'eth_getBlockByNumber' && params[0] === 'latest'
			? renumbered(request)
			: undefined;
	},
	'the newest and the final block': (request) => {
		const { method, params } = request;
		if (method === 'eth_blockNumber') return { result: HUGE };
		const isTag = method === 'eth_getBlockByNumber' && /^[a-z]/.test(String(params[0]));
		return isTag ? renumbered(request) : undefined;
	},
	'every block': (request) => {
		if (request.method === 'eth_blockNumber') return { result: HUGE };
		return request.method === 'eth_getBlockByNumber' ? renumbered(request) : undefined;
	},
};

describe.each([true, false])('with the liar first: %s', (isLiarFirst) => {
	test.each(Object.keys(LIES))(
		'a lie about %s stops nothing, and makes nothing final',
		async (name) => {
			await using own = new Resources();
			const { chain, rpcUrl } = chains();
			const treat = LIES[name] ?? (() => undefined);
			const { db, endpoints, index, lie } = await indexWith(own, treat, isLiarFirst);
			await readAll(index);
			lie();
			for (let round = 0; round < 3; round++) {
				await endpoints.poll();
				await chain.log({ from: STRANGER, to: ANNA, amounts: [5n] });
				await chain.mine(5);
				await readAll(index);
				const head = await chain.provider.getBlockNumber();
				const { cursors } = await readCursors(db);
				expect(cursors?.head.block).toBe(head);
				expect(cursors?.final.block).toBeLessThanOrEqual(head - DEPTH);
				expect(Number(await endpoints.finalBlock(DEPTH))).toBeLessThanOrEqual(head - DEPTH);
				expect((await endpoints.newest()).block).toBe(head);
			}
			expect(await rowsIn(db)).toEqual(await rowsFromScratch(rpcUrl, 1));
		},
	);

	test('logs that it leaves out are read from the other endpoint, of old and of new blocks', async () => {
		await using own = new Resources();
		const { chain, rpcUrl } = chains();
		const treat: Treatment = ({ method }) =>
			method === 'eth_getLogs' ? { result: [] } : undefined;
		const { db, index, lie } = await indexWith(own, treat, isLiarFirst);
		lie();
		await readAll(index);
		for (let block = 0; block < 3; block++) {
			await chain.log({ from: STRANGER, to: ANNA, amounts: [6n] });
			await chain.mine(10);
		}
		await chain.mine(2 * DEPTH);
		await readAll(index);
		const final = (await readCursors(db)).cursors?.final.block ?? 0;
		const isFinal = ({ block }: { block: number }) => block <= final;
		const expected = (await rowsFromScratch(rpcUrl, 1)).filter(isFinal);
		expect(expected.length).toBeGreaterThan(40);
		expect((await rowsIn(db)).filter(isFinal)).toEqual(expected);
	});
});

test('a single endpoint that reports a block that it does not have makes nothing final', async () => {
	await using own = new Resources();
	const { rpcUrl } = chains();
	const treat = LIES['the newest and the final block'] ?? (() => undefined);
	const { url } = await own.use(startEndpoint(rpcUrl, treat));
	const endpoints = await Endpoints.connect([url]);
	await expect(endpoints.finalBlock(DEPTH)).rejects.toThrow(/No endpoint of the chain answers/);
});
