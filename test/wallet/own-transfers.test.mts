/** Transfers that are listed by a receipt before their block is read, and while blocks are read again. */
import { rowsInReceipt } from '../../service/src/history/rows.mts';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { markUsedBefore } from '../../service/src/store/cursors.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { addOwnTransfers } from '../../service/src/store/transfers.mts';
import { Resources } from '../support/resources.mts';
import { startEndpoint } from './support/endpoint.mts';
import {
	addWallets,
	indexOf,
	readAll,
	rowsFromScratch,
	rowsIn,
	walletAt,
} from './support/indexed.mts';
import { useTransferChain } from './support/transfer-chain.mts';

const [ANNA, STRANGER] = [walletAt(0), walletAt(1_000)];

const chains = useTransferChain();

/** The index of a wallet's transfers, read at an endpoint. */
async function indexAt(own: Resources, url: string) {
	const db = await openDatabase(':memory:');
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	await markUsedBefore(db);
	await addWallets(db, 1);
	return { db, index: indexOf(db, await Endpoints.connect([url])) };
}

test('a block that replaces one with a receipt before either is read leaves no transfer of it', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const { db, index } = await indexAt(own, rpcUrl);
	await chain.mine(20);
	await readAll(index);
	const paid = { from: ANNA, to: STRANGER, amounts: [5n] };
	const hash = await chain.log(paid);
	await chain.mine();
	const receipt = await chain.provider.send('eth_getTransactionReceipt', [hash]);
	const rows = await rowsInReceipt(db, receipt, 0);
	expect(rows).toHaveLength(1);
	const [number, block] = [Number(receipt.blockNumber), receipt.blockHash];
	await addOwnTransfers(db, { number, hash: block }, rows);
	await chain.reorganise(1, [{ from: STRANGER, to: ANNA, amounts: [8n] }, paid]);
	await readAll(index);
	expect(await rowsIn(db)).toEqual(await rowsFromScratch(rpcUrl, 1));
	await chain.mine(100);
	await readAll(index);
	expect(await rowsIn(db)).toEqual(await rowsFromScratch(rpcUrl, 1));
});

test('a wallet that is added hides no transfer of another one while its blocks are read', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const { url } = await own.use(
		startEndpoint(rpcUrl, ({ method, params }) => {
			if (method !== 'eth_getLogs') return undefined;
			const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
			const isMany = Number(toBlock) - Number(fromBlock) >= 5;
			return isMany ? { error: { code: -32602, message: 'at most 5 blocks' } } : undefined;
		}),
	);
	const { db, index } = await indexAt(own, url);
	await chain.mine(10);
	await chain.log({ from: STRANGER, to: ANNA, amounts: [9n] });
	await chain.mine();
	await readAll(index);
	const before = await rowsIn(db);
	await addWallets(db, 1);
	do expect(await rowsIn(db)).toEqual(before);
	while (await index.round());
});
