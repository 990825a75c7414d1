/** What the loops read and change: the writes that are not final. */
import type { AttemptRow, Database, Queries, WriteRow, WriteState } from './tables.mts';
import { settleSpends, type Settlement } from './spends.mts';
import type { TransferRow } from './tables.mts';
import { addOwnTransfers } from './transfers.mts';
import { audit } from './users.mts';

/** A write whose transaction is not known to be in a block, with its attempts, the newest first. */
export interface UnminedWrite {
	write: WriteRow & { nonce: number };
	attempts: AttemptRow[];
}

/** Writes that are in no block, by wallet and nonce. @param walletId all wallets if undefined */
export async function unminedWrites(db: Queries, walletId?: number): Promise<UnminedWrite[]> {
	const all = db
		.selectFrom('writes')
		.selectAll()
		.where('state', 'in', ['signed', 'accepted'])
		.orderBy('wallet_id')
		.orderBy('nonce');
	const writes = await (
		walletId === undefined ? all : all.where('wallet_id', '=', walletId)
	).execute();
	if (writes.length === 0) return [];
	const attempts = await db
		.selectFrom('attempts')
		.selectAll()
		.where(
			'write_id',
			'in',
			writes.map(({ id }) => id),
		)
		.orderBy('no', 'desc')
		.execute();
	return writes.flatMap((write) => {
		const { nonce } = write;
		const own = attempts.filter(({ write_id: id }) => id === write.id);
		return nonce === null ? [] : [{ write: { ...write, nonce }, attempts: own }];
	});
}

/** A write in a block that is not final. */
export interface MinedWrite {
	id: string;
	/** Whether its call is in the block, or the empty transaction that cancels it. */
	kind: AttemptRow['kind'];
	hash: string;
	/** Signed bytes. */
	raw: string;
	/** Native coin that its call sends along, in wei. */
	value: bigint;
	/** What it costs at worst, in wei, with its value. */
	cost: bigint;
	blockNumber: number;
	blockHash: string;
	/** 1 if the transaction succeeded, 0 if it reverted; null if that is not known yet. */
	status: 0 | 1 | null;
}

/** Writes in blocks that are not final, the newest first. */
export async function minedWrites(db: Queries): Promise<MinedWrite[]> {
	const rows = await db
		.selectFrom('writes')
		.innerJoin('attempts', 'attempts.hash', 'writes.mined_hash')
		.select(['writes.id', 'attempts.kind', 'attempts.hash', 'value', 'block_number', 'block_hash'])
		.select(['status', 'raw', 'cost'])
		.where('state', '=', 'mined')
		.orderBy('block_number', 'desc')
		.execute();
	return rows.map(({ block_number: number, block_hash: blockHash, status, ...write }) => {
		const block = { blockNumber: Number(number), blockHash: String(blockHash) };
		const amounts = { value: BigInt(write.value), cost: BigInt(write.cost) };
		const outcome = status === null ? null : status === 1 ? 1 : 0;
		return { ...write, ...block, ...amounts, status: outcome };
	});
}

/** The block of a transaction. */
export interface Inclusion {
	hash: string;
	blockNumber: number;
	blockHash: string;
	/** 1 if the transaction succeeded, 0 if it reverted; null if that is not known yet. */
	status: 0 | 1 | null;
}

/** What a receipt says beyond the block. */
export interface Effects {
	/** null if the transaction did not revert, or the reason is not known. */
	revertReason: string | null;
	transfers: readonly TransferRow[];
}

/** Records that a transaction is in a block, and its transfers with it. */
export async function markMined(
	db: Database,
	writeId: string,
	{ hash, status, blockNumber: number, blockHash }: Inclusion,
	{ revertReason, transfers }: Effects = { revertReason: null, transfers: [] },
): Promise<void> {
	await db.transaction().execute(async (transaction) => {
		const block = { block_number: number, block_hash: blockHash };
		const mined = await transaction
			.updateTable('writes')
			.set({ ...block, state: 'mined', mined_hash: hash, status, revert_reason: revertReason })
			.where('id', '=', writeId)
			.where('state', 'in', ['signed', 'accepted'])
			.executeTakeFirst();
		if (mined.numUpdatedRows === 0n) return;
		await addOwnTransfers(transaction, { number, hash: blockHash }, transfers);
	});
}

/** Records whether a transaction in a block succeeded, once that is known, or that it is not known any more. */
export async function markOutcome(
	db: Database,
	writeId: string,
	{ status, blockNumber: number, blockHash }: Inclusion,
	{ revertReason, transfers }: Effects,
): Promise<void> {
	await db.transaction().execute(async (transaction) => {
		const known = await transaction
			.updateTable('writes')
			.set({ status, revert_reason: revertReason })
			.where('id', '=', writeId)
			.where('state', '=', 'mined')
			.where('block_hash', '=', blockHash)
			.executeTakeFirst();
		if (known.numUpdatedRows === 0n) return;
		await addOwnTransfers(transaction, { number, hash: blockHash }, transfers);
	});
}

/**
 * A write is in no block any more, as far as is known: it is sent again. If it is in doubt whether the chain still has its
 * block, the number remains, and so do the transfers that are listed.
 *
 * @returns whether it is; otherwise another process was first
 */
export async function markUnmined(
	db: Database,
	{ id, hash, blockNumber: number, blockHash }: Omit<Inclusion, 'status'> & { id: string },
	isInDoubt = false,
): Promise<boolean> {
	return await db.transaction().execute(async (transaction) => {
		const none = { mined_hash: null, block_number: isInDoubt ? number : null, block_hash: null };
		const undone = await transaction
			.updateTable('writes')
			.set({ ...none, state: 'accepted', status: null, revert_reason: null })
			.where('id', '=', id)
			.where('state', '=', 'mined')
			.where('block_hash', '=', blockHash)
			.executeTakeFirst();
		if (undone.numUpdatedRows === 0n) return false;
		if (isInDoubt) return true;
		// The history may have read the block that replaced it already, and found the transaction there, too.
		const listed = transaction.selectFrom('blocks').select('number').where('hash', '=', blockHash);
		await transaction
			.deleteFrom('transfers')
			.where('block', '=', listed)
			.where('hash', '=', hash)
			.execute();
		return true;
	});
}

/** No reorganisation changes the block of the write any more. @param settlement what it has spent */
export async function markFinal(
	db: Database,
	{ id, kind, blockHash, status }: Pick<MinedWrite, 'id' | 'kind' | 'blockHash' | 'status'>,
	settlement: Settlement,
): Promise<void> {
	const state = kind === 'call' ? 'final' : 'cancelled';
	await db.transaction().execute(async (transaction) => {
		const ended = await transaction
			.updateTable('writes')
			.set({ state, status, final_at: settlement.at.toISOString() })
			.where('id', '=', id)
			.where('state', '=', 'mined')
			.where('block_hash', '=', blockHash)
			.executeTakeFirst();
		if (ended.numUpdatedRows > 0n) await settleSpends(transaction, id, settlement);
	});
}

export async function markSent(db: Queries, hash: string): Promise<void> {
	await db
		.updateTable('attempts')
		.set({ sent_at: new Date().toISOString() })
		.where('hash', '=', hash)
		.execute();
}

/**
 * Commits a further transaction of a write that is in no block; only then may it be sent. A closed wallet gets none.
 *
 * @param states the states of the write in which it is wanted
 * @param cost what the write costs at worst, in wei
 * @param reserve reserves that cost, and returns whether the limits of the write's token allow it
 * @returns whether it is committed; otherwise nothing has changed, or another process was first
 */
export async function commitAttempt(
	db: Database,
	attempt: AttemptRow,
	{ states, cost }: { states: readonly WriteState[]; cost: string },
	reserve: (transaction: Queries) => Promise<boolean>,
): Promise<boolean> {
	return await db.transaction().execute(async (transaction) => {
		if (!(await reserve(transaction))) return false;
		const open = await transaction
			.updateTable('writes')
			.set({ cost, waiting_reason: null })
			.where('id', '=', attempt.write_id)
			.where('state', 'in', states)
			.where('wallet_id', 'in', ({ selectFrom }) =>
				selectFrom('wallets').select('wallets.id').where('wallets.state', '=', 'open'),
			)
			.executeTakeFirst();
		if (open.numUpdatedRows === 0n) return false;
		const inserted = await transaction
			.insertInto('attempts')
			.values(attempt)
			.onConflict((conflict) => conflict.columns(['write_id', 'no']).doNothing())
			.executeTakeFirst();
		if (inserted.numInsertedOrUpdatedRows === 0n) return false;
		const action = attempt.kind === 'call' ? 'fees raised' : 'write given up';
		await audit(transaction, 'service', action, attempt.write_id);
		return true;
	});
}
