/** How far the history is read, and what is committed with it. */
import { bind, readMeta } from './meta.mts';
import type { BlockRow, CursorRow, Database, Queries, TransferRow } from './tables.mts';
import { addTransfers } from './transfers.mts';

/** A block of the chain. */
export interface Point {
	block: number;
	hash: string;
}

/** How far all wallets are read. */
export interface Cursors {
	/** No reorganisation changes blocks up to this one. */
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

const PASSES = ['final', 'head'] as const;
const PREFIX = 'wallet:';
const nameOf = (walletId: number) => `${PREFIX}${walletId}`;

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

/** The blocks whose hashes are kept, the newest first. */
export const keptBlocks = async (db: Queries): Promise<BlockRow[]> =>
	await db.selectFrom('blocks').selectAll().orderBy('number', 'desc').execute();

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

/** What a reading changes. */
export interface Progress {
	/** The cursors as they were when the reading began. */
	from: Cursors;
	to: Cursors;
	/** Everything above is removed, because a reorganisation undid it or it is read again. */
	undoneAbove?: number | undefined;
	/** Blocks whose rows are of another block with the number. */
	undone: readonly number[];
	/** Hashes to keep. */
	blocks: readonly BlockRow[];
	rows: readonly TransferRow[];
	/** Wallets that are read from now on. */
	joining: readonly Gap[];
}

/** Ends a transaction without changes: another process was first. */
class Abort extends Error {}

async function orAbort(work: () => Promise<unknown>): Promise<boolean> {
	try {
		await work();
		return true;
	} catch (error) {
		if (error instanceof Abort) return false;
		throw error;
	}
}

/** Commits a reading with its cursors. @returns whether it is committed; otherwise another process was first */
export async function commitProgress(db: Database, progress: Progress): Promise<boolean> {
	const { from, to, undoneAbove, undone, blocks, rows, joining } = progress;
	const commit = async (transaction: Queries): Promise<void> => {
		for (const name of PASSES) {
			const moved = await transaction
				.updateTable('cursors')
				.set(to[name])
				.where('name', '=', name)
				.where('block', '=', from[name].block)
				.where('hash', '=', from[name].hash)
				.executeTakeFirst();
			if (moved.numUpdatedRows === 0n) throw new Abort();
		}
		// Blocks before transfers, as where an own transaction is recorded.
		if (undoneAbove !== undefined) {
			await transaction.deleteFrom('blocks').where('number', '>', undoneAbove).execute();
		}
		for (const { number, hash } of blocks) {
			await transaction
				.insertInto('blocks')
				.values({ number, hash })
				.onConflict((conflict) => conflict.column('number').doNothing())
				.execute();
			const replaced = await transaction
				.updateTable('blocks')
				.set({ hash })
				.where('number', '=', number)
				.where('hash', '!=', hash)
				.executeTakeFirst();
			// A receipt may have listed transfers of a block that was undone before it was read.
			if (replaced.numUpdatedRows > 0n) {
				await transaction.deleteFrom('transfers').where('block', '=', number).execute();
			}
		}
		await transaction.deleteFrom('blocks').where('number', '<=', to.final.block).execute();
		if (undoneAbove !== undefined) {
			await transaction.deleteFrom('transfers').where('block', '>', undoneAbove).execute();
		}
		if (undone.length > 0) {
			await transaction.deleteFrom('transfers').where('block', 'in', undone).execute();
		}
		await addTransfers(transaction, rows);
		for (const { walletId, block, until } of joining) {
			const row = { name: nameOf(walletId), block, hash: null, until };
			await transaction
				.insertInto('cursors')
				.values(row)
				.onConflict((conflict) => conflict.column('name').doNothing())
				.execute();
		}
	};
	return await orAbort(async () => await db.transaction().execute(commit));
}

/**
 * Commits what was read of gaps.
 *
 * @param read the gaps, and the first block that is read of each
 * @returns whether it is committed; otherwise another process was first
 */
export async function commitGaps(
	db: Database,
	read: readonly { gap: Gap; from: number }[],
	rows: readonly TransferRow[],
): Promise<boolean> {
	const commit = async (transaction: Queries): Promise<void> => {
		for (const { gap, from } of read) {
			const moved = await transaction
				.updateTable('cursors')
				.set({ block: from })
				.where('name', '=', nameOf(gap.walletId))
				.where('block', '=', gap.block)
				.executeTakeFirst();
			if (moved.numUpdatedRows === 0n) throw new Abort();
		}
		await addTransfers(transaction, rows);
	};
	return await orAbort(async () => await db.transaction().execute(commit));
}
