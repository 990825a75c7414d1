/** Reads a history while the chain reorganises and endpoints fail, and compares it with one that is read afterwards. */
import { toQuantity } from 'ethers';
import { rowsInReceipt } from '../../../service/src/history/rows.mts';
import { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import { markUsedBefore } from '../../../service/src/store/cursors.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import { addOwnTransfers } from '../../../service/src/store/transfers.mts';
import { startNetwork } from '../../../tools/wallet/network.mts';
import { Resources } from '../../support/resources.mts';
import { startEndpoint, type RpcRequest } from './endpoint.mts';
import { addWallets, indexOf, readAll, rowsFromScratch, rowsIn, walletAt } from './indexed.mts';
import { ChosenLies } from './chosen-lies.mts';
import { startLiar } from './liar.mts';
import { postgresUrl, type DatabaseKind } from './network-and-service.mts';
import { NEVER } from './orders.mts';
import { randomNumbers } from '../../support/random-numbers.mts';
import { TransferChain, type Logged } from './transfer-chain.mts';

/** Blocks that are undone at most: fewer than lie above a final one. */
const MAX_UNDONE = 10;

/** Share of the requests that the lying endpoint treats badly. */
const LIES = 0.1;

/** Blocks by which the other endpoint lags behind. */
const LAG = 3;

/** Reorganisations between two comparisons, and between two new wallets. */
const COMPARE_EVERY = 50;
const WALLET_EVERY = 40;

const STRANGERS = 900;

/** Share of the blocks of which a transaction is listed by its receipt, before they are read. */
const OWN = 0.3;

export interface HistoryProof {
	reorganisations: number;
	comparisons: number;
	/** Comparisons in which rows differed. */
	different: number;
	rows: number;
	/** Rounds that a failure of the endpoints ended. */
	failures: number;
	faults: number;
	seconds: number;
}

/** Treats requests as an endpoint that has not seen the newest blocks yet: it has no logs of them, and no headers. */
function laggard(head: () => number) {
	return ({ method, params }: RpcRequest): object | undefined => {
		const seen = Math.max(0, head() - LAG);
		const [asked] = params;
		if (method === 'eth_blockNumber') return { result: toQuantity(seen) };
		if (method === 'eth_getBlockByNumber') {
			return typeof asked === 'string' && Number(asked) > seen ? { result: null } : undefined;
		}
		if (method !== 'eth_getLogs' || typeof asked !== 'object' || asked === null) return undefined;
		return 'toBlock' in asked && Number(asked.toBlock) > seen ? { result: [] } : undefined;
	};
}

export async function proveHistory(options: {
	reorganisations: number;
	database: DatabaseKind;
	seed: number;
}): Promise<HistoryProof> {
	await using resources = new Resources();
	const random = randomNumbers(options.seed);
	const below = (limit: number) => Math.floor(random() * limit);
	const { rpcUrl } = await resources.use(startNetwork(NEVER));
	const chain = new TransferChain(rpcUrl);
	await chain.prepare();
	await chain.mine(MAX_UNDONE);
	let head = await chain.provider.getBlockNumber();
	const chosen = new ChosenLies(options.seed, LIES);
	const liar = await resources.use(startLiar(rpcUrl, options.seed, LIES, chosen));
	const lagging = await resources.use(
		startEndpoint(
			rpcUrl,
			laggard(() => head),
		),
	);
	const urls = [liar.url, lagging.url];
	const location = options.database === 'postgres' ? await postgresUrl(resources) : ':memory:';
	const db = await openDatabase(location);
	await markUsedBefore(db);
	let wallets = 5;
	await addWallets(db, wallets);
	// Two processes on one database.
	const indexes = [
		indexOf(db, await Endpoints.connect(urls)),
		indexOf(db, await Endpoints.connect(urls.toReversed())),
	];
	const proof = { reorganisations: 0, comparisons: 0, different: 0, rows: 0, failures: 0 };
	const begun = performance.now();

	const party = () => walletAt(random() < 0.7 ? below(wallets + 2) : STRANGERS + below(3));
	const transfer = (): Logged => {
		const standard = ([20, 20, 721, 1155] as const)[below(4)] ?? 20;
		const count = standard === 1155 ? 1 + below(3) : 1;
		const amounts = Array.from({ length: count }, () => BigInt(below(6)));
		return { from: party(), to: party(), amounts, standard };
	};
	/** A write of the service is in a block. */
	const addOwn = async (hash: string): Promise<void> => {
		const receipt = await chain.provider.send('eth_getTransactionReceipt', [hash]);
		const block = { number: Number(receipt.blockNumber), hash: receipt.blockHash };
		const { timestamp = 0 } = (await chain.provider.getBlock(block.number)) ?? {};
		await addOwnTransfers(db, block, await rowsInReceipt(db, receipt, timestamp));
	};
	const transfers = () => Array.from({ length: 1 + below(4) }, transfer);
	const read = async (): Promise<void> => {
		const rounds = await Promise.allSettled(indexes.map((index) => index.round()));
		proof.failures += rounds.filter(({ status }) => status === 'rejected').length;
	};
	const compare = async (): Promise<void> => {
		const honest = indexOf(db, await Endpoints.connect([rpcUrl]));
		await readAll(honest);
		const [found, expected] = [await rowsIn(db), await rowsFromScratch(rpcUrl, wallets)];
		proof.comparisons += 1;
		proof.rows = found.length;
		if (JSON.stringify(found) !== JSON.stringify(expected)) proof.different += 1;
	};

	while (proof.reorganisations < options.reorganisations) {
		let hash = '';
		for (const one of transfers()) hash = await chain.log(one);
		await chain.mine(1 + below(3));
		head = await chain.provider.getBlockNumber();
		if (random() < OWN) await addOwn(hash);
		await read();
		if (random() < 0.5) continue;
		await chain.reorganise(1 + below(MAX_UNDONE), transfers());
		proof.reorganisations += 1;
		if (random() < 0.5) await read();
		if (proof.reorganisations % WALLET_EVERY === 0) {
			await addWallets(db, 1);
			wallets += 1;
		}
		if (proof.reorganisations % COMPARE_EVERY === 0) await compare();
	}
	await compare();
	chain.provider.destroy();
	await db.destroy();
	const seconds = Math.round((performance.now() - begun) / 1000);
	return { ...proof, faults: liar.counts.faults, seconds };
}
