/** The transfers of the wallets, as the history lists them. */
import type { Selectable } from 'kysely';
import type { Queries, Tables, TransferRow } from './tables.mts';

/** A place in the history of a wallet. */
export type Position = Pick<TransferRow, 'block' | 'log_index' | 'part'>;

/** Databases limit the parameters of a statement. */
const ROWS_AT_ONCE = 500;

const compareRows = (a: TransferRow, b: TransferRow): number =>
	a.wallet_id - b.wallet_id || a.block - b.block || a.log_index - b.log_index || a.part - b.part;

/** Adds rows; those that are there remain. All processes add them in one order, so that none waits for another in a circle. */
export async function addTransfers(db: Queries, rows: readonly TransferRow[]): Promise<void> {
	const sorted = rows.toSorted(compareRows);
	for (let at = 0; at < sorted.length; at += ROWS_AT_ONCE) {
		await db
			.insertInto('transfers')
			.values(sorted.slice(at, at + ROWS_AT_ONCE))
			.onConflict((conflict) =>
				conflict.columns(['wallet_id', 'block', 'log_index', 'part']).doNothing(),
			)
			.execute();
	}
}

/** The newest transfers of a wallet, the newest first. @param before only those below this position */
export async function newestTransfers(
	db: Queries,
	walletId: number,
	limit: number,
	before?: Position,
): Promise<TransferRow[]> {
	const all = db
		.selectFrom('transfers')
		.selectAll()
		.where('wallet_id', '=', walletId)
		.orderBy('block', 'desc')
		.orderBy('log_index', 'desc')
		.orderBy('part', 'desc')
		.limit(limit);
	if (!before) return await all.execute();
	const { block, log_index: log, part } = before;
	return await all
		.where('block', '<=', block)
		.where(({ eb, refTuple, tuple }) =>
			eb(refTuple('block', 'log_index', 'part'), '<', tuple(block, log, part)),
		)
		.execute();
}

/** The wallets with these addresses, by checksummed address. */
export async function walletsAt(
	db: Queries,
	addresses: readonly string[],
): Promise<Map<string, number>> {
	if (addresses.length === 0) return new Map();
	const rows = await db
		.selectFrom('wallets')
		.select(['id', 'address'])
		.where('address', 'in', addresses)
		.execute();
	return new Map(rows.map(({ id, address }) => [address, id]));
}

/** A wallet whose transfers are read. */
export type WatchedWallet = Pick<Selectable<Tables['wallets']>, 'id' | 'address' | 'source'> & {
	/** When its user was added. */
	created_at: string | null;
};

export const watchedWallets = async (db: Queries): Promise<WatchedWallet[]> =>
	await db
		.selectFrom('wallets')
		.leftJoin('users', 'users.wallet_id', 'wallets.id')
		.select(['wallets.id', 'wallets.address', 'wallets.source', 'users.created_at'])
		.orderBy('wallets.id')
		.execute();

/** A transaction of a wallet is in a block: its transfers are listed at once, if no other block has the number so far. */
export async function addOwnTransfers(
	db: Queries,
	block: { number: number; hash: string },
	rows: readonly TransferRow[],
): Promise<void> {
	if (rows.length === 0) return;
	await db
		.insertInto('blocks')
		.values(block)
		.onConflict((conflict) => conflict.column('number').doNothing())
		.execute();
	const known = db.selectFrom('blocks').select('hash').where('number', '=', block.number);
	if ((await known.executeTakeFirst())?.hash === block.hash) await addTransfers(db, rows);
}
