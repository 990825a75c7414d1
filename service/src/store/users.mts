import { getAddress } from 'ethers';
import type { Selectable } from 'kysely';
import type { Database, Queries, Tables, UserRow, WalletRow } from './tables.mts';

/** A user with the wallet. */
export type User = UserRow & Pick<WalletRow, 'address' | 'source'>;

/** Users with their wallets. */
export const withWallet = (db: Queries) =>
	db
		.selectFrom('users')
		.innerJoin('wallets', 'wallets.id', 'users.wallet_id')
		.selectAll('users')
		.select(['wallets.address', 'wallets.source']);

export const userById = async (db: Queries, id: string): Promise<User | undefined> =>
	await withWallet(db).where('users.id', '=', id).executeTakeFirst();

/** @param address in any letter case */
export const userByAddress = async (db: Queries, address: string): Promise<User | undefined> =>
	await withWallet(db).where('wallets.address', '=', getAddress(address)).executeTakeFirst();

/** The users of wallets, by checksummed address. */
export async function usersByAddress(
	db: Queries,
	addresses: readonly string[],
): Promise<Map<string, User>> {
	const unique = [...new Set(addresses)];
	if (unique.length === 0) return new Map();
	const users = await withWallet(db).where('wallets.address', 'in', unique).execute();
	return new Map(users.map((user) => [user.address, user]));
}

/** All users, for the command line; nothing else enumerates them. */
export const allUsers = async (db: Queries): Promise<User[]> =>
	await withWallet(db).orderBy('users.wallet_id').execute();

export const walletById = async (
	db: Queries,
	id: number,
): Promise<Selectable<Tables['wallets']> | undefined> =>
	await db.selectFrom('wallets').selectAll().where('id', '=', id).executeTakeFirst();

export const allWallets = async (db: Queries): Promise<WalletRow[]> =>
	await db.selectFrom('wallets').selectAll().orderBy('id').execute();

/** Wallets that were never compared with the chain. */
export const newWallets = async (db: Queries): Promise<WalletRow[]> =>
	await db.selectFrom('wallets').selectAll().where('is_compared', '=', 0).execute();

/**
 * Adds a user with the next wallet.
 *
 * @param addressAt address of the wallet with an index
 * @throws Error if the user exists
 */
export async function addUser(
	db: Database,
	user: Pick<UserRow, 'id' | 'provider' | 'username' | 'email'>,
	addressAt: (index: number) => Promise<string>,
): Promise<{ address: string; index: number }> {
	return await db.transaction().execute(async (transaction) => {
		if (await userById(transaction, user.id)) throw new Error(`User ${user.id} exists already`);
		const last = await transaction
			.selectFrom('wallets')
			.select(({ fn }) => fn.max('id').as('id'))
			.executeTakeFirst();
		const index = last?.id === undefined || last.id === null ? 0 : Number(last.id) + 1;
		const address = await addressAt(index);
		const at = new Date().toISOString();
		await transaction
			.insertInto('wallets')
			.values({
				id: index,
				address,
				source: `seed:${index}`,
				next_nonce: 0,
				is_compared: 0,
				state: 'open',
				closed_reason: null,
			})
			.execute();
		await transaction
			.insertInto('users')
			.values({ ...user, wallet_id: index, created_at: at, disabled_at: null })
			.execute();
		await audit(transaction, 'operator', 'user added', user.id);
		return { address, index };
	});
}

/**
 * Disables a user, or enables one again: meanwhile, the tokens are refused, and the wallet remains.
 *
 * @returns whether there is such a user
 */
export async function setDisabled(db: Database, id: string, isDisabled: boolean): Promise<boolean> {
	return await db.transaction().execute(async (transaction) => {
		const { numUpdatedRows } = await transaction
			.updateTable('users')
			.set({ disabled_at: isDisabled ? new Date().toISOString() : null })
			.where('id', '=', id)
			.executeTakeFirst();
		if (numUpdatedRows === 0n) return false;
		await audit(transaction, 'operator', `user ${isDisabled ? 'disabled' : 'enabled'}`, id);
		return true;
	});
}

/** Records who did what, in the transaction that does it. */
export async function audit(
	db: Queries,
	actor: string,
	action: string,
	subject: string,
): Promise<void> {
	const at = new Date().toISOString();
	await db
		.insertInto('audit')
		.values({ id: crypto.randomUUID(), at, actor, action, subject })
		.execute();
}
