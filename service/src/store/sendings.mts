/** What is recorded about sending the transactions of a write. */
import type { Queries } from './tables.mts';
import { UNMINED } from './writes.mts';

/** Records that an endpoint has the transaction. */
export async function markAccepted(db: Queries, writeId: string): Promise<void> {
	await db
		.updateTable('writes')
		.set({ state: 'accepted', last_refusal: null })
		.where('id', '=', writeId)
		.where('state', 'in', UNMINED)
		.where(({ eb, or }) => or([eb('state', '=', 'signed'), eb('last_refusal', 'is not', null)]))
		.execute();
}

/** Records why the endpoints refuse a transaction that is in no block. @returns whether that is new */
export async function noteRefusal(db: Queries, writeId: string, words: string): Promise<boolean> {
	return await note(db, writeId, 'last_refusal', words);
}

/** Records why a write is not given up yet. @returns whether that is new */
export async function noteWaiting(db: Queries, writeId: string, reason: string): Promise<boolean> {
	return await note(db, writeId, 'waiting_reason', reason);
}

async function note(
	db: Queries,
	writeId: string,
	column: 'last_refusal' | 'waiting_reason',
	text: string,
): Promise<boolean> {
	const noted = await db
		.updateTable('writes')
		.set({ [column]: text })
		.where('id', '=', writeId)
		.where('state', 'in', UNMINED)
		.where(({ eb, or }) => or([eb(column, 'is', null), eb(column, '!=', text)]))
		.executeTakeFirst();
	return noted.numUpdatedRows > 0n;
}
