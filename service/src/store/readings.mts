/** Commits what was read for the history, each reading with its cursors: of two processes with the same reading, one does it. */
import { sql } from 'kysely';
import { nameOf, PASSES, type Cursors, type Gap, type Point } from './cursors.mts';
import type { BlockRow, Database, Queries, TransferRow } from './tables.mts';
import { addTransfers, settleTransfers, type Correction, type Stretch } from './transfers.mts';
import { audit } from './users.mts';

/** Ends a transaction without changes: another process was first. */
class Abort extends Error {}

/** @returns undefined if another process was first */
async function commit<T>(
	db: Database,
	work: (transaction: Queries) => Promise<T>,
): Promise<T | undefined> {
	try {
		return await db.transaction().execute(work);
	} catch (error) {
		if (error instanceof Abort) return undefined;
		throw error;
	}
}

/** Moves the cursors. @throws Abort if they are not where the reading began */
async function move(transaction: Queries, from: Cursors, to: Cursors): Promise<void> {
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
}

const forgetFinal = async (transaction: Queries, { final }: Cursors): Promise<unknown> =>
	await transaction.deleteFrom('blocks').where('number', '<=', final.block).execute();

/** What one endpoint reports of new blocks. */
export interface NewBlocks {
	/** The cursors when the reading began, and after it. */
	from: Cursors;
	to: Cursors;
	/** The last block, those with logs, and those that had rows. */
	blocks: readonly BlockRow[];
	rows: readonly TransferRow[];
	/** Wallets that are read from now on. */
	joining: readonly Gap[];
}

/** Commits new blocks. @returns whether it is done; otherwise another process was first */
export async function commitNew(db: Database, reading: NewBlocks): Promise<boolean> {
	const { from, to, blocks, rows, joining } = reading;
	const isDone = await commit(db, async (transaction) => {
		await move(transaction, from, to);
		// Blocks before transfers, as where an own transaction is recorded.
		for (const { number, hash } of blocks) {
			const { numInsertedOrUpdatedRows: changed = 0n } = await transaction
				.insertInto('blocks')
				.values({ number, hash })
				.onConflict((conflict) => {
					return conflict
						.column('number')
						.doUpdateSet({ hash })
						.where(sql.ref('blocks.hash'), '!=', hash);
				})
				.executeTakeFirst();
			// What is listed is of another block with the number.
			if (changed === 0n) continue;
			await transaction.deleteFrom('transfers').where('block', '=', number).execute();
		}
		await forgetFinal(transaction, to);
		await addTransfers(transaction, rows);
		for (const { walletId, block, until } of joining) {
			await transaction
				.insertInto('cursors')
				.values({ name: nameOf(walletId), block, hash: null, until })
				.onConflict((conflict) => conflict.column('name').doNothing())
				.execute();
		}
		return true;
	});
	return isDone ?? false;
}

/** Commits final blocks. @returns what it corrected; undefined if another process was first */
export async function commitFinal(
	db: Database,
	cursors: { from: Cursors; to: Cursors },
	rows: readonly TransferRow[],
): Promise<Correction | undefined> {
	const { from, to } = cursors;
	return await commit(db, async (transaction) => {
		await move(transaction, from, to);
		await forgetFinal(transaction, to);
		const stretch = { from: from.final.block + 1, to: to.final.block };
		return await settleTransfers(transaction, stretch, rows);
	});
}

/** What the endpoints agree about in older blocks. */
export interface OlderBlocks {
	stretch: Stretch;
	rows: readonly TransferRow[];
}

/**
 * Commits older blocks of wallets.
 *
 * @param read the gaps, and the first block that is read of each
 * @param blocks undefined if the endpoints do not have them
 * @returns what it corrected; undefined if another process was first
 */
export async function commitGaps(
	db: Database,
	read: readonly { gap: Gap; from: number }[],
	blocks: OlderBlocks | undefined,
): Promise<Correction | undefined> {
	return await commit(db, async (transaction) => {
		for (const { gap, from } of read) {
			const moved = await transaction
				.updateTable('cursors')
				.set({ block: from })
				.where('name', '=', nameOf(gap.walletId))
				.where('block', '=', gap.block)
				.executeTakeFirst();
			if (moved.numUpdatedRows === 0n) throw new Abort();
		}
		if (!blocks) return { removed: 0, added: 0 };
		return await settleTransfers(transaction, blocks.stretch, blocks.rows);
	});
}

/**
 * Takes the cursors back. What is listed remains until its block is read again, except above the newest block of the chain.
 *
 * @param newest number of the newest block
 * @param reason why a final block is read again, for the audit; undefined if none is
 * @returns whether it is done; otherwise another process was first
 */
export async function takeBack(
	db: Database,
	cursors: { from: Cursors; to: Cursors },
	newest: number,
	reason?: string,
): Promise<boolean> {
	const { from, to } = cursors;
	const isDone = await commit(db, async (transaction) => {
		await move(transaction, from, to);
		await transaction.deleteFrom('blocks').where('number', '>', newest).execute();
		await transaction
			.deleteFrom('transfers')
			.where('block', '>', Math.max(newest, to.final.block))
			.execute();
		if (reason !== undefined) {
			await audit(transaction, 'service', `history taken back: ${reason}`, String(to.final.block));
		}
		return true;
	});
	return isDone ?? false;
}

/** Has the history read again after a block. @returns whether it is done; otherwise it is not read up to there */
export async function rebuildAfter(db: Database, point: Point): Promise<boolean> {
	const isDone = await commit(db, async (transaction) => {
		const final = await transaction
			.updateTable('cursors')
			.set(point)
			.where('name', '=', 'final')
			.where('block', '>=', point.block)
			.executeTakeFirst();
		if (final.numUpdatedRows === 0n) throw new Abort();
		await audit(transaction, 'operator', 'history rebuild', String(point.block + 1));
		return true;
	});
	return isDone ?? false;
}
