import { getAddress } from 'ethers';
import { userByAddress, userById, type UserWithWallet } from './store/users.mts';
import type { Database } from './store/tables.mts';
import { callerWith, type Caller } from './store/tokens.mts';

/** A user of the service, with the wallet. */
export type User = UserWithWallet;

/** Finds users. Nothing enumerates them. */
export interface Users {
	byId(id: string): Promise<User | undefined>;
	/** @param address in any letter case */
	byAddress(address: string): Promise<User | undefined>;
}

/** Finds the caller with an access token. */
export interface TokenVerifier {
	/** undefined if this verifier does not recognise the token. */
	verify(token: string): Promise<Caller | undefined>;
}

/** The users in the database; disabled ones keep their wallets, so they are found. */
export const storedUsers = (db: Database): Users => ({
	byId: async (id) => await userById(db, id),
	byAddress: async (address) => await userByAddress(db, getAddress(address)),
});

/** The access tokens in the database. */
export const storedTokens = (db: Database): TokenVerifier => ({
	verify: async (token) => await callerWith(db, token),
});
