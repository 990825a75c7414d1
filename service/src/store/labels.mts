/** What callers say about their writes, in order to find them. */
import { databaseTime } from './clock.mts';
import type { Queries, WriteRow } from './tables.mts';

/** What sends writes, and for which of its executions; opaque text of the caller. */
export interface Group {
	node: string;
	execution: string;
}

/** The labels of a write; opaque text, except the attempt. */
export interface Labels extends Group {
	place?: string | undefined;
	call?: string | undefined;
	/** Number of the attempt that sends the write; 0 before the first was begun. */
	attempt: number;
}

/** Number of the newest attempt of an execution; 0 before the first was begun. */
export async function newestAttempt(
	db: Queries,
	userId: string,
	{ node, execution }: Group,
): Promise<number> {
	const row = await db
		.selectFrom('executions')
		.select('attempt')
		.where('user_id', '=', userId)
		.where('node', '=', node)
		.where('execution', '=', execution)
		.executeTakeFirst();
	return row?.attempt ?? 0;
}

/** Keeps the labels of a write, in the transaction that stores it. */
export async function addLabels(
	transaction: Queries,
	{ id, user_id }: Pick<WriteRow, 'id' | 'user_id'>,
	{ node, execution, place, call }: Labels,
): Promise<void> {
	const at = (await databaseTime(transaction)).toISOString();
	const given = { node, execution, place: place ?? null, call: call ?? null };
	await transaction
		.insertInto('labels')
		.values({ write_id: id, user_id, ...given, at })
		.execute();
}
