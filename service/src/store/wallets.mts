import type { Database, Queries, WriteRow } from './tables.mts';
import { settleSpends } from './spends.mts';
import { audit } from './users.mts';
import { UNMINED } from './writes.mts';

/** Ends a write whose nonce another program's transaction has used for good, and closes its wallet: the key is used elsewhere. @returns why it is closed; undefined if nothing has changed */
export async function closeForForeign(
	db: Database,
	{ id, wallet_id: walletId, nonce }: Pick<WriteRow, 'id' | 'wallet_id' | 'nonce'>,
): Promise<string | undefined> {
	return await db.transaction().execute(async (transaction) => {
		await lockWallet(transaction, walletId);
		const ended = await transaction
			.updateTable('writes')
			.set({ state: 'foreign', final_at: new Date().toISOString() })
			.where('id', '=', id)
			.where('state', 'in', UNMINED)
			.executeTakeFirst();
		if (ended.numUpdatedRows === 0n) return undefined;
		await settleSpends(transaction, id);
		const reason = `Another program signed the transaction ${nonce} of the wallet`;
		await transaction
			.updateTable('wallets')
			.set({ state: 'closed', closed_reason: reason })
			.where('id', '=', walletId)
			.where('state', '=', 'open')
			.execute();
		await audit(transaction, 'service', `write replaced: ${reason}`, id);
		return reason;
	});
}

/**
 * Lets a transaction wait for all others that commit writes of a wallet, and these for it. It comes first: two that change the
 * same rows in another order wait for each other.
 */
export async function lockWallet(transaction: Queries, walletId: number): Promise<void> {
	await transaction
		.updateTable('wallets')
		.set(({ ref }) => ({ next_nonce: ref('next_nonce') }))
		.where('id', '=', walletId)
		.execute();
}

/**
 * Opens a closed wallet. Its next nonce is the first that neither the service nor the chain has used.
 *
 * @param count number of transactions that the chain has of the wallet for good
 * @returns the next nonce
 */
export async function openWallet(db: Database, walletId: number, count: number): Promise<number> {
	return await db.transaction().execute(async (transaction) => {
		const wallet = transaction.updateTable('wallets').where('id', '=', walletId);
		await wallet.set({ next_nonce: count }).where('next_nonce', '<', count).execute();
		const opened = await wallet
			.set({ state: 'open', closed_reason: null })
			.returning('next_nonce')
			.executeTakeFirstOrThrow();
		await audit(transaction, 'operator', 'wallet reconciled', String(walletId));
		return opened.next_nonce;
	});
}

/** The writes of a wallet that another program's transaction has replaced for good. */
export async function foreignWrites(
	db: Queries,
	walletId: number,
): Promise<Pick<WriteRow, 'key' | 'nonce'>[]> {
	return await db
		.selectFrom('writes')
		.select(['key', 'nonce'])
		.where('wallet_id', '=', walletId)
		.where('state', '=', 'foreign')
		.orderBy('nonce')
		.execute();
}
