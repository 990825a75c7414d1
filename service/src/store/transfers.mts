/** The transfers of the wallets, as the history lists them. */
import type { Selectable } from 'kysely';
import type { Queries, Tables, TransferRow } from './tables.mts';

/** A place in the history of a wallet. Where logs are numbered in the block, it can do without the transaction's position. */
export type Position = Pick<TransferRow, 'block' | 'log_index' | 'part'> &
	Partial<Pick<TransferRow, 'tx_index'>>;

/** Databases limit the parameters of a statement. */
const AT_ONCE = 500;

function* inChunks<T>(all: readonly T[]): Generator<T[]> {
	for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}

const compareRows = (a: TransferRow, b: TransferRow): number =>
	(a.hash < b.hash ? -1 : Number(a.hash > b.hash)) ||
	a.wallet_id - b.wallet_id ||
	a.log_index - b.log_index ||
	a.part - b.part;

/** All processes add rows in one order, so that none waits for another in a circle. */
async function insert(db: Queries, rows: readonly TransferRow[]): Promise<void> {
	for (const some of inChunks(rows.toSorted(compareRows))) {
		await db
			.insertInto('transfers')
			.values(some)
			.onConflict((conflict) => conflict.doNothing())
			.execute();
	}
}

/** The newest final block; -1 before the first reading. */
async function finalBlock(db: Queries): Promise<number> {
	const cursor = db.selectFrom('cursors').select('block').where('name', '=', 'final');
	return (await cursor.executeTakeFirst())?.block ?? -1;
}

/**
 * Lists what one endpoint reports of blocks that are not final. The rows of a transaction take the place of those that were
 * listed of it before; a row in a final block remains.
 */
export async function addTransfers(db: Queries, rows: readonly TransferRow[]): Promise<void> {
	const final = await finalBlock(db);
	const open = rows.filter(({ block }) => block > final);
	const hashes = [...new Set(open.map(({ hash }) => hash))].sort();
	for (const some of inChunks(hashes)) {
		await db.deleteFrom('transfers').where('hash', 'in', some).where('block', '>', final).execute();
	}
	await insert(db, open);
}

/** Blocks, both ends included, of all wallets or of some. */
export interface Stretch {
	from: number;
	to: number;
	walletIds?: readonly number[];
}

/** Number of rows that were removed, because they were wrong, and added. */
export interface Correction {
	removed: number;
	added: number;
}

const contentOf = (row: TransferRow): string =>
	JSON.stringify([
		...[row.hash, row.wallet_id, row.log_index, row.part, row.block, row.tx_index],
		...[row.standard, row.sent, row.party, row.token, row.value, Number(row.time)],
	]);

/** Makes the rows of final blocks those that the endpoints agree about. */
export async function settleTransfers(
	db: Queries,
	{ from, to, walletIds }: Stretch,
	rows: readonly TransferRow[],
): Promise<Correction> {
	const all = db
		.selectFrom('transfers')
		.selectAll()
		.where('block', '>=', from)
		.where('block', '<=', to);
	const old = await (walletIds ? all.where('wallet_id', 'in', walletIds) : all).execute();
	const [before, after] = [new Set(old.map(contentOf)), new Set(rows.map(contentOf))];
	const wrong = old.filter((row) => !after.has(contentOf(row)));
	const missing = rows.filter((row) => !before.has(contentOf(row)));
	const hashesOf = (some: readonly TransferRow[]) => [...new Set(some.map(({ hash }) => hash))];
	const remove = async (hashes: string[], isAnywhere: boolean): Promise<void> => {
		for (const some of inChunks(hashes.sort())) {
			let stale = db.deleteFrom('transfers').where('hash', 'in', some);
			if (walletIds) stale = stale.where('wallet_id', 'in', walletIds);
			if (!isAnywhere) stale = stale.where('block', '>=', from).where('block', '<=', to);
			await stale.execute();
		}
	};
	await remove(hashesOf(wrong), false);
	// A transaction is in one block only: a reorganisation may have moved it.
	await remove(hashesOf(missing), true);
	const isStale = new Set(hashesOf([...wrong, ...missing]));
	await insert(
		db,
		rows.filter(({ hash }) => isStale.has(hash)),
	);
	return { removed: wrong.length, added: missing.length };
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
		.orderBy('tx_index', 'desc')
		.orderBy('log_index', 'desc')
		.orderBy('part', 'desc')
		.limit(limit);
	if (!before) return await all.execute();
	const { block, tx_index: index, log_index: log, part } = before;
	return await all
		.where('block', '<=', block)
		.where(({ eb, refTuple, tuple }) =>
			index === undefined
				? eb(refTuple('block', 'log_index', 'part'), '<', tuple(block, log, part))
				: eb(
						refTuple('block', 'tx_index', 'log_index', 'part'),
						'<',
						tuple(block, index, log, part),
					),
		)
		.execute();
}

/** The wallets with these addresses, by checksummed address. */
export async function walletsAt(
	db: Queries,
	addresses: readonly string[],
): Promise<Map<string, number>> {
	const found = new Map<string, number>();
	for (const some of inChunks(addresses)) {
		const rows = await db
			.selectFrom('wallets')
			.select(['id', 'address'])
			.where('address', 'in', some)
			.execute();
		for (const { id, address } of rows) found.set(address, id);
	}
	return found;
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
	// What is final is read from several endpoints.
	if (rows.length === 0 || block.number <= (await finalBlock(db))) return;
	await db
		.insertInto('blocks')
		.values(block)
		.onConflict((conflict) => conflict.column('number').doNothing())
		.execute();
	const known = db.selectFrom('blocks').select('hash').where('number', '=', block.number);
	if ((await known.executeTakeFirst())?.hash === block.hash) await addTransfers(db, rows);
}

/** Number of transfers from a block on. */
export async function transfersSince(db: Queries, block: number): Promise<number> {
	const count = db.selectFrom('transfers').select(({ fn }) => fn.countAll().as('count'));
	return Number((await count.where('block', '>=', block).executeTakeFirstOrThrow()).count);
}
