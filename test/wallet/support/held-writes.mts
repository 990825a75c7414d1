/** The writes of a user in this process, without a chain, which can be held at any moment. */
import { join } from 'node:path';
import { ZeroAddress } from 'ethers';
import { newPhrase, SeedSigner } from '../../../service/src/keys/seed.mts';
import type { Signer } from '../../../service/src/keys/signer.mts';
import { Spending } from '../../../service/src/limits/spending.mts';
import type { Labels } from '../../../service/src/store/labels.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import type { Caller } from '../../../service/src/store/tokens.mts';
import { addUser, userById } from '../../../service/src/store/users.mts';
import { Delivery } from '../../../service/src/writes/delivery.mts';
import { Executions } from '../../../service/src/writes/executions.mts';
import { Preparation, type Prepared } from '../../../service/src/writes/prepare.mts';
import { Refusals } from '../../../service/src/writes/refusals.mts';
import { Writes } from '../../../service/src/writes/writes.mts';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { postgresUrl, type DatabaseKind } from './network-and-service.mts';

/** A call that needs nothing from a chain. */
export const PREPARED: Prepared = {
	estimate: 21_000n,
	gasLimit: 21_000n,
	balance: 10n ** 24n,
	dataFee: 0n,
	fees: { type: 0, gasPrice: 1n },
	isDelegated: false,
};

/** Moments of a write: after its signature, in the transaction that stores it, and after that. */
export interface Holds {
	signed(): Promise<void>;
	storing(): Promise<void>;
	stored(): Promise<void>;
}

const pass = async () => undefined;

export const NO_HOLDS: Holds = { signed: pass, storing: pass, stored: pass };

/** A user whose writes are signed and stored, and sent to nobody. */
export class HeldWrites {
	readonly db: Database;
	readonly caller: Caller;
	readonly executions: Executions;
	readonly writes: Writes;
	/** Hashes of the transactions that were sent. */
	readonly sent: string[] = [];
	/** What each moment waits for. */
	holds: Holds = NO_HOLDS;

	private constructor(db: Database, caller: Caller, seed: SeedSigner) {
		this.db = db;
		this.caller = caller;
		this.executions = new Executions(db);
		const signer: Signer = {
			addressOf: (source) => seed.addressOf(source),
			sign: async (source, transaction) => {
				const signed = await seed.sign(source, transaction);
				await this.holds.signed();
				return signed;
			},
		};
		const broadcast = async (_raw: string, hash: string): Promise<true> => {
			await this.holds.stored();
			this.sent.push(hash);
			return true;
		};
		const preparation = Object.assign(Object.create(Preparation.prototype), {
			prepare: async () => PREPARED,
		});
		const spending = Object.assign(new Spending(), {
			count: () => ({ tokenId: '', limits: {}, spends: [] }),
			reserve: async () => await this.holds.storing(),
		});
		const refusals = new Refusals();
		const observe = () => undefined;
		const delivery = new Delivery({
			db,
			ttlMs: 0,
			broadcast,
			refusals,
			observe,
			log: () => undefined,
		});
		this.writes = new Writes({
			db,
			chainId: 1,
			signer,
			preparation,
			delivery,
			spending,
			options: { maxOpen: 1_000, answerMs: 60_000 },
			observe: () => undefined,
		});
	}

	static async open(resources: Resources, kind: DatabaseKind): Promise<HeldWrites> {
		const { path: folder } = await resources.use(temporaryFolder('held'));
		const url = kind === 'sqlite' ? join(folder, 'wallet.db') : await postgresUrl(resources);
		const db = await openDatabase(url);
		await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
		const seed = new SeedSigner(newPhrase());
		const id = 'LOCAL-anna';
		await addUser(db, { id, provider: 'LOCAL', username: 'anna', email: null }, (index) =>
			seed.addressOf(`seed:${index}`),
		);
		const user = await userById(db, id);
		if (!user) throw new Error('There is no user');
		return new HeldWrites(db, { user, scopes: ['write'] }, seed);
	}

	/** Submits a write of an execution. */
	async submit(key: string, execution: string, labels: Partial<Labels> = {}) {
		const call = { to: ZeroAddress, data: '0x', value: 0n };
		const all = { node: 'node', execution, attempt: 0, ...labels };
		return await this.writes.submit({ caller: this.caller, key, call, called: '', labels: all });
	}

	/** Begins an attempt. @returns its number, and the keys that it lists */
	async begin(execution: string) {
		const { attempt, writes } = await this.executions.begin(this.caller, {
			node: 'node',
			execution,
		});
		return { attempt, keys: writes.map(({ write }) => write.key) };
	}

	/** Keys of the stored writes. */
	async keys(): Promise<string[]> {
		const rows = await this.db.selectFrom('writes').select('key').orderBy('nonce').execute();
		return rows.map(({ key }) => key);
	}
}

/** A gate that is closed until it is opened. */
export function gate() {
	const reached = Promise.withResolvers<undefined>();
	const opened = Promise.withResolvers<undefined>();
	return {
		/** Resolves when somebody stands before it. */
		reached: reached.promise,
		open: () => opened.resolve(undefined),
		pass: async () => {
			reached.resolve(undefined);
			await opened.promise;
		},
	};
}
