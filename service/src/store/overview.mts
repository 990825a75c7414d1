/** What the status page, the metrics and the checks read. */
import type { Queries, UserRow, WalletRow, WriteRow } from './tables.mts';

/** Number of open writes that are listed. */
const LISTED = 20;

export type OpenWrite = Pick<WriteRow, 'user_id' | 'key' | 'to_address' | 'state' | 'created_at'> &
	Pick<WriteRow, 'last_refusal' | 'waiting_reason'>;

export interface OpenWrites {
	/** Number of writes that are not final, by state. */
	counts: Record<'signed' | 'accepted' | 'mined', number>;
	/** Writes that are in no block, the oldest first. */
	oldest: OpenWrite[];
	/** Number of writes that are to be given up and wait, and why the oldest of them does. */
	waiting: { count: number; reason: string };
}

/** A line for the writes in no block that a list leaves out; none if it has all. */
export function unlisted({ counts: { signed, accepted } }: OpenWrites, listed: number): string[] {
	const more = signed + accepted - listed;
	return more > 0 ? [`and ${more} more`] : [];
}

export async function openOverview(db: Queries): Promise<OpenWrites> {
	const counts = { signed: 0, accepted: 0, mined: 0 };
	const rows = await db
		.selectFrom('writes')
		.select(['state', ({ fn }) => fn.countAll().as('count')])
		.where('state', 'in', ['signed', 'accepted', 'mined'])
		.groupBy('state')
		.execute();
	for (const { state, count } of rows) {
		if (state === 'signed' || state === 'accepted' || state === 'mined') {
			counts[state] = Number(count);
		}
	}
	const oldest = await db
		.selectFrom('writes')
		.select(['user_id', 'key', 'to_address', 'state', 'created_at'])
		.select(['last_refusal', 'waiting_reason'])
		.where('state', 'in', ['signed', 'accepted'])
		.orderBy('created_at')
		.limit(LISTED)
		.execute();
	const waiting = await db
		.selectFrom('writes')
		.select('waiting_reason')
		.where('state', 'in', ['signed', 'accepted'])
		.where('waiting_reason', 'is not', null)
		.orderBy('created_at')
		.execute();
	const reason = waiting[0]?.waiting_reason ?? '';
	return { counts, oldest, waiting: { count: waiting.length, reason } };
}

export type OwnedWallet = Pick<WalletRow, 'address' | 'source' | 'next_nonce' | 'state'> &
	Pick<WalletRow, 'closed_reason'> &
	Pick<UserRow, 'disabled_at'> & { userId: string };

/** Wallets with their users, in order. */
export async function ownedWallets(db: Queries): Promise<OwnedWallet[]> {
	return await db
		.selectFrom('wallets')
		.innerJoin('users', 'users.wallet_id', 'wallets.id')
		.select(['address', 'source', 'next_nonce', 'state', 'closed_reason', 'disabled_at'])
		.select('users.id as userId')
		.orderBy('wallets.id')
		.execute();
}

/** Writes to the database. @throws Error if that is not possible, for example because the disk is full */
export async function tryWriting(db: Queries): Promise<void> {
	const value = new Date().toISOString();
	await db
		.insertInto('meta')
		.values({ name: 'checked_at', value })
		.onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
		.execute();
}
