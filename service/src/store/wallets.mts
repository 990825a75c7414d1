import type { Inclusion } from './open-writes.mts';
import { reserveAgain, settleSpends } from './spends.mts';
import type { Database, Queries, WriteRow } from './tables.mts';
import { audit } from './users.mts';
import { attemptsOf, UNMINED, type WriteWithAttempts } from './writes.mts';

const foreignReason = (nonce: number | null) =>
	`Another program signed the transaction ${nonce} of the wallet`;

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
		const reason = foreignReason(nonce);
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
 * Takes back that a write was replaced: its own transaction is in a block. What it reserved counts again until it is final, and
 * its wallet is opened if nothing else closed it.
 */
export async function reviveForeign(
	db: Database,
	{ id, wallet_id: walletId, nonce }: Pick<WriteRow, 'id' | 'wallet_id' | 'nonce'>,
	{ hash, blockNumber, blockHash, status }: Inclusion,
): Promise<void> {
	await db.transaction().execute(async (transaction) => {
		await lockWallet(transaction, walletId);
		const place = { mined_hash: hash, block_number: blockNumber, block_hash: blockHash, status };
		const revived = await transaction
			.updateTable('writes')
			.set({ ...place, state: 'mined', final_at: null })
			.where('id', '=', id)
			.where('state', '=', 'foreign')
			.executeTakeFirst();
		if (revived.numUpdatedRows === 0n) return;
		await reserveAgain(transaction, id);
		await transaction
			.updateTable('wallets')
			.set({ state: 'open', closed_reason: null })
			.where('id', '=', walletId)
			.where('closed_reason', '=', foreignReason(nonce))
			.execute();
		await audit(transaction, 'service', 'write found in a block after all', id);
	});
}

/** The writes of which is recorded that another program's transaction has replaced them, with their transactions. */
export async function allForeign(db: Queries): Promise<WriteWithAttempts[]> {
	const writes = await db
		.selectFrom('writes')
		.selectAll()
		.where('state', '=', 'foreign')
		.orderBy('created_at', 'desc')
		.execute();
	return await Promise.all(
		writes.map(async (write) => ({ write, attempts: await attemptsOf(db, write.id) })),
	);
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
 * Opens a closed wallet. Its next nonce is the first that neither the service nor the chain has used: also below the one that
 * it has, which an endpoint may have raised.
 *
 * @param count number of transactions that the chain has of the wallet for good
 * @returns the next nonce
 */
export async function openWallet(db: Database, walletId: number, count: number): Promise<number> {
	return await db.transaction().execute(async (transaction) => {
		await lockWallet(transaction, walletId);
		const wallet = transaction.updateTable('wallets').where('id', '=', walletId);
		const { last } = await transaction
			.selectFrom('writes')
			.select(({ fn }) => fn.max('nonce').as('last'))
			.where('wallet_id', '=', walletId)
			.executeTakeFirstOrThrow();
		const free = last === null ? 0 : Number(last) + 1;
		await wallet.set({ next_nonce: Math.max(count, free) }).execute();
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

/**
 * Compares a wallet with the number of transactions that the chain has of it. At the first comparison, a
 * wallet without writes takes the number as its first nonce. Otherwise more transactions than the service has signed mean that the key is used elsewhere, or that the
 * database was set back: the wallet is closed, because any further nonce could be wrong.
 *
 * @returns why it is closed now; undefined if it is not closed by this
 */
export async function compareNonce(
	db: Database,
	walletId: number,
	count: number,
): Promise<string | undefined> {
	return await db.transaction().execute(async (transaction) => {
		const behind = transaction
			.updateTable('wallets')
			.where('id', '=', walletId)
			.where('state', '=', 'open')
			.where('next_nonce', '<', count);
		const adopted = await behind
			.set({ next_nonce: count, is_compared: 1 })
			.where('is_compared', '=', 0)
			.where(({ not, exists, selectFrom }) =>
				not(
					exists(
						selectFrom('writes')
							.select('id')
							.where('wallet_id', '=', walletId)
							.where('nonce', 'is not', null),
					),
				),
			)
			.executeTakeFirst();
		if (adopted.numUpdatedRows !== 0n) return undefined;
		const reason = `The chain has ${count} transactions of the wallet, more than the service has signed`;
		const closed = await behind.set({ state: 'closed', closed_reason: reason }).executeTakeFirst();
		if (closed.numUpdatedRows !== 0n) {
			await audit(transaction, 'service', `wallet closed: ${reason}`, String(walletId));
		}
		await transaction
			.updateTable('wallets')
			.set({ is_compared: 1 })
			.where('id', '=', walletId)
			.where('is_compared', '=', 0)
			.execute();
		return closed.numUpdatedRows === 0n ? undefined : reason;
	});
}
