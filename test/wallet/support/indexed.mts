/** The index of a history in this process, and what it must contain. */
import { getAddress, toBeHex } from 'ethers';
import { HistoryIndex } from '../../../service/src/history/history-index.mts';
import { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import { markUsedBefore } from '../../../service/src/store/cursors.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database, TransferRow } from '../../../service/src/store/tables.mts';
import { addUser } from '../../../service/src/store/users.mts';

/** Blocks above a final one. */
export const DEPTH = 12;

/** Address of the wallet with a number. */
export const walletAt = (number: number): string => getAddress(toBeHex(0xabc_0000 + number, 20));

/** Adds the wallets with the next numbers. */
export async function addWallets(db: Database, count: number): Promise<void> {
	for (let added = 0; added < count; added++) {
		const id = `LOCAL-${crypto.randomUUID()}`;
		const user = { id, provider: 'LOCAL', username: id, email: null };
		await addUser(db, user, async (index) => walletAt(index));
	}
}

/** A busy machine takes its time for many logs; in milliseconds. */
export const BUSY_MS = 120_000;

const silent = () => undefined;

export function indexOf(
	db: Database,
	endpoints: Endpoints,
	ports: Partial<ConstructorParameters<typeof HistoryIndex>[0]> = {},
): HistoryIndex {
	return new HistoryIndex({
		db,
		endpoints,
		depth: DEPTH,
		firstBlock: () => 0,
		log: silent,
		...ports,
	});
}

/** Reads everything that there is. */
export async function readAll(index: HistoryIndex): Promise<void> {
	while (await index.round());
}

/** All rows, in order. */
export async function rowsIn(db: Database): Promise<TransferRow[]> {
	const rows = await db
		.selectFrom('transfers')
		.selectAll()
		.orderBy('wallet_id')
		.orderBy('block')
		.orderBy('tx_index')
		.orderBy('log_index')
		.orderBy('part')
		.execute();
	return rows.map((row) => ({ ...row, time: Number(row.time) }));
}

/** The rows that a new index of the same wallets has. */
export async function rowsFromScratch(rpcUrl: string, wallets: number): Promise<TransferRow[]> {
	const db = await openDatabase(':memory:');
	await markUsedBefore(db);
	await addWallets(db, wallets);
	await readAll(indexOf(db, await Endpoints.connect([rpcUrl], { limitMs: BUSY_MS })));
	const rows = await rowsIn(db);
	await db.destroy();
	return rows;
}
