import { addLabels, lockExecution, type Labels } from './labels.mts';
import type { AttemptRow, Database, Queries, WriteRow, WriteState } from './tables.mts';
import { audit } from './users.mts';

/** A write as it is reported. */
export interface StoredWrite {
	write: WriteRow;
	/** The transaction with its call: the one in a block, otherwise the newest; undefined if void. */
	attempt: AttemptRow | undefined;
	/** Whether an empty transaction is to take its nonce; which one does is open until one is in a block. */
	isGivenUp: boolean;
}

/** States in which a transaction is not known to be in a block. */
export const UNMINED: readonly WriteState[] = ['signed', 'accepted'];

/** What is not known of a write before it is in a block. */
export const NOTHING_YET = {
	final_at: null,
	mined_hash: null,
	block_number: null,
	block_hash: null,
	status: null,
	revert_reason: null,
	last_refusal: null,
	waiting_reason: null,
} satisfies Partial<WriteRow>;

/** A signed write that is about to be committed. */
export type NewWrite = Pick<
	WriteRow,
	| 'user_id'
	| 'token_id'
	| 'key'
	| 'fingerprint'
	| 'wallet_id'
	| 'to_address'
	| 'data'
	| 'value'
	| 'cost'
> & { id: string; nonce: number; hash: string; raw: string; labels?: Labels | undefined };

/** A write that is stored with its first attempt. */
export type Committed = StoredWrite & { attempt: AttemptRow };

/** Why a commit has changed nothing. */
export type Refused =
	/** The key has a write, perhaps this one. */
	| 'known'
	/** The nonce belongs to another write. */
	| 'nonce-taken'
	| 'closed'
	| 'too-many-open'
	| 'no-funds'
	/** A later attempt of the execution has begun. */
	| 'superseded';

/** Ends a transaction without changes. */
class Abort extends Error {
	readonly outcome: Refused;

	constructor(outcome: Refused) {
		super(outcome);
		this.outcome = outcome;
	}
}

/** The transactions of a write, the newest first. */
export async function attemptsOf(db: Queries, writeId: string): Promise<AttemptRow[]> {
	const all = db.selectFrom('attempts').selectAll().where('write_id', '=', writeId);
	return await all.orderBy('no', 'desc').execute();
}

/** The write of a user under a key. */
export async function writeByKey(
	db: Queries,
	userId: string,
	key: string,
): Promise<StoredWrite | undefined> {
	const write = await db
		.selectFrom('writes')
		.selectAll()
		.where('user_id', '=', userId)
		.where('key', '=', key)
		.executeTakeFirst();
	if (!write) return undefined;
	return withAttempts({ write, attempts: await attemptsOf(db, write.id) });
}

/** A write as it is reported. @param attempts its transactions, the newest first */
export function withAttempts({ write, attempts }: WriteWithAttempts): StoredWrite {
	const calls = attempts.filter(({ kind }) => kind === 'call');
	const mined = calls.find(({ hash }) => hash === write.mined_hash);
	const isGivenUp = !mined && attempts[0]?.kind === 'noop';
	return { write, attempt: mined ?? calls[0], isGivenUp };
}

/** A write and all its transactions, the newest first. */
export interface WriteWithAttempts {
	write: WriteRow;
	attempts: AttemptRow[];
}

/** The write that any of its transactions belongs to. */
export async function writeByHash(
	db: Queries,
	hash: string,
): Promise<WriteWithAttempts | undefined> {
	const write = await db
		.selectFrom('writes')
		.selectAll('writes')
		.innerJoin('attempts', 'attempts.write_id', 'writes.id')
		.where('attempts.hash', '=', hash)
		.executeTakeFirst();
	return write && { write, attempts: await attemptsOf(db, write.id) };
}

/** Writes of a wallet whose transaction is not known to be in a block. */
export async function openWrites(
	db: Queries,
	walletId: number,
): Promise<Pick<WriteRow, 'id' | 'cost'>[]> {
	return await db
		.selectFrom('writes')
		.select(['id', 'cost'])
		.where('wallet_id', '=', walletId)
		.where('state', 'in', UNMINED)
		.execute();
}

/** What the open writes cost together at worst, in wei. */
export const costOf = (writes: readonly Pick<WriteRow, 'cost'>[]): bigint =>
	writes.reduce((sum, { cost }) => sum + BigInt(cost), 0n);

/**
 * Commits a write, its nonce and its signed bytes in one transaction; only then may the bytes be sent. The row of the
 * wallet comes first: whoever changes it waits for an earlier commit, also for one whose answer was lost. So repeating
 * the call with the same bytes decides whether that commit took place, and looking would not.
 *
 * @param limits.balance of the wallet, in wei
 * @param limits.reserve reserves what the write counts against the limits of its token; throws if they do not allow it
 * @param limits.beforeCommit called when all rows are written
 * @throws Error if the answer to the commit was lost, so that it may have taken place
 */
export async function commitWrite(
	db: Database,
	{ hash, raw, labels, ...write }: NewWrite,
	limits: {
		maxOpen: number;
		balance: bigint;
		reserve?(transaction: Queries): Promise<void>;
		beforeCommit?(): void;
	},
): Promise<Committed | Refused> {
	try {
		return await db.transaction().execute(async (transaction) => {
			const taken = await transaction
				.updateTable('wallets')
				.set({ next_nonce: write.nonce + 1 })
				.where('id', '=', write.wallet_id)
				.where('next_nonce', '=', write.nonce)
				.where('state', '=', 'open')
				.executeTakeFirst();
			if (taken.numUpdatedRows === 0n) {
				if (await writeByKey(transaction, write.user_id, write.key)) return 'known';
				const isOpen = transaction
					.selectFrom('wallets')
					.select('id')
					.where('id', '=', write.wallet_id)
					.where('state', '=', 'open');
				return (await isOpen.executeTakeFirst()) ? 'nonce-taken' : 'closed';
			}
			const open = await openWrites(transaction, write.wallet_id);
			const now = new Date().toISOString();
			const row: WriteRow = {
				...write,
				state: 'signed',
				created_at: now,
				...NOTHING_YET,
			};
			const inserted = await transaction
				.insertInto('writes')
				.values(row)
				.onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
				.executeTakeFirst();
			if (inserted.numInsertedOrUpdatedRows === 0n) throw new Abort('known');
			if (labels && (await lockExecution(transaction, labels)) !== labels.attempt) {
				throw new Abort('superseded');
			}
			if (open.length >= limits.maxOpen) throw new Abort('too-many-open');
			if (costOf(open) + BigInt(write.cost) > limits.balance) throw new Abort('no-funds');
			const attempt: AttemptRow = {
				hash,
				raw,
				write_id: write.id,
				no: 1,
				kind: 'call',
				created_at: now,
				sent_at: now,
			};
			await transaction.insertInto('attempts').values(attempt).execute();
			if (labels) await addLabels(transaction, write, labels);
			await limits.reserve?.(transaction);
			await audit(transaction, write.user_id, 'write signed', write.id);
			limits.beforeCommit?.();
			return { write: row, attempt, isGivenUp: false };
		});
	} catch (error) {
		if (error instanceof Abort) return error.outcome;
		throw error;
	}
}
