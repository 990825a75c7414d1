/** Transfers that are listed by a receipt, before the index has read their block. */
import { rowsInReceipt } from '../../service/src/history/rows.mts';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { markUsedBefore } from '../../service/src/store/cursors.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { addOwnTransfers } from '../../service/src/store/transfers.mts';
import { Resources } from '../support/resources.mts';
import { addWallets, indexOf, readAll, rowsFromScratch, rowsIn, walletAt } from './support/indexed.mts';
import { useTransferChain } from './support/transfer-chain.mts';

const [ANNA, STRANGER] = [walletAt(0), walletAt(1_000)];

const chains = useTransferChain();

test('a block that replaces one with a receipt before either is read leaves no transfer of it', async () => {
	await using own = new Resources();
	const { chain, rpcUrl } = chains();
	const db = await openDatabase(':memory:');
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	await markUsedBefore(db);
	await addWallets(db, 1);
	const index = indexOf(db, await Endpoints.connect([rpcUrl]));
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
