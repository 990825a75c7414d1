import { getAddress } from 'ethers';
import { walletAt } from '../chain/mnemonic.mts';
import type { UserRecord } from './users.mts';

/** A user of the service with their wallet address. */
export interface User extends UserRecord {
	/** `<PROVIDER>-<user ID at the provider>`. */
	id: string;
	/** Checksummed wallet address. */
	address: string;
}

/** Finds users by user ID and by wallet address. */
export class UserDirectory {
	readonly users: User[];
	readonly #byId: Map<string, User>;
	readonly #byAddress: Map<string, User>;

	constructor(records: UserRecord[]) {
		this.users = records.map((record) => ({
			...record,
			id: `${record.provider}-${record.providerUserId}`,
			address: walletAt(record.walletIndex).address,
		}));
		this.#byId = new Map(this.users.map((user) => [user.id, user]));
		this.#byAddress = new Map(this.users.map((user) => [user.address, user]));
	}

	withId(id: string): User | undefined {
		return this.#byId.get(id);
	}

	/** @param address in any letter case */
	withAddress(address: string): User | undefined {
		return this.#byAddress.get(getAddress(address));
	}
}
