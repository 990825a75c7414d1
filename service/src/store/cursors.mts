/** How far the history is read. */
import { bind, readMeta } from './meta.mts';
import type { BlockRow, CursorRow, Queries } from './tables.mts';

/** A block of the chain. */
export interface Point {
	block: number;
	hash: string;
}

/** How far all wallets are read. */
export interface Cursors {
	/** The endpoints agree about the transfers up to this block, and no reorganisation changes them. */
	final: Point;
	/** The newest block that is read. */
	head: Point;
}

/** What is still to be read of a wallet, downwards: the blocks from `until` to below `block`. */
export interface Gap {
	walletId: number;
	block: number;
	until: number;
}

export const PASSES = ['final', 'head'] as const;
const PREFIX = 'wallet:';

/** Name of a wallet's cursor. */
export const nameOf = (walletId: number): string => `${PREFIX}${walletId}`;

/** Name of the mark for a seed that was used before this database. */
const USED_BEFORE = 'seed_used_before';

/** Marks wallets of the seed as perhaps older than the database: their transfers are looked for in older blocks, too. */
export const markUsedBefore = async (db: Queries): Promise<void> =>
	await bind(db, USED_BEFORE, 'yes', () => 'The mark of the seed has another value');

export const isUsedBefore = async (db: Queries): Promise<boolean> =>
	(await readMeta(db, USED_BEFORE)) !== undefined;

/** The cursors of all wallets together; undefined before the first reading. */
export async function readCursors(
	db: Queries,
): Promise<{ cursors: Cursors | undefined; gaps: Gap[] }> {
	const rows = await db.selectFrom('cursors').selectAll().execute();
	const point = (name: string): Point | undefined => {
		const row = rows.find((one) => one.name === name);
		return row && { block: row.block, hash: row.hash ?? '' };
	};
	const [final, head] = PASSES.map(point);
	const gaps = rows.flatMap(({ name, block, until }): Gap[] => {
		if (!name.startsWith(PREFIX)) return [];
		return [{ walletId: Number(name.slice(PREFIX.length)), block, until: until ?? 0 }];
	});
	return { cursors: final && head && { final, head }, gaps };
}

/** Whether all that is to be read of a wallet is read. */
export async function isRead(db: Queries, walletId: number): Promise<boolean> {
	const row = await db
		.selectFrom('cursors')
		.select(['block', 'until'])
		.where('name', '=', nameOf(walletId))
		.executeTakeFirst();
	return row !== undefined && row.block <= (row.until ?? 0);
}

/** Begins at a block, unless another process has. */
export async function beginAt(db: Queries, { block, hash }: Point): Promise<void> {
	await db
		.insertInto('cursors')
		.values(PASSES.map((name): CursorRow => ({ name, block, hash, until: null })))
		.onConflict((conflict) => conflict.column('name').doNothing())
		.execute();
}

/** The blocks whose hashes are kept, the oldest first. */
export const keptBlocks = async (db: Queries): Promise<BlockRow[]> =>
	await db.selectFrom('blocks').selectAll().orderBy('number').execute();

/** The blocks in a range that have rows. */
export async function blocksWithRows(db: Queries, from: number, to: number): Promise<number[]> {
	const rows = await db
		.selectFrom('transfers')
		.select('block')
		.distinct()
		.where('block', '>=', from)
		.where('block', '<=', to)
		.execute();
	return rows.map(({ block }) => block);
}
