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
export async function newestAttempt(db: Queries, { node, execution }: Group): Promise<number> {
	const row = await db
		.selectFrom('executions')
		.select('attempt')
		.where('node', '=', node)
		.where('execution', '=', execution)
		.executeTakeFirst();
	return row?.attempt ?? 0;
}

/**
 * Locks an execution until the end of the transaction: writes of all users and the beginning of attempts come one after the
 * other.
 *
 * @param further whether a further attempt begins
 * @returns the number of the newest attempt; 0 before the first
 */
export async function lockExecution(
	transaction: Queries,
	{ node, execution }: Group,
	further = false,
): Promise<number> {
	const step = further ? 1 : 0;
	const { attempt } = await transaction
		.insertInto('executions')
		.values({ node, execution, attempt: step, token_id: null, begun_at: null })
		.onConflict((conflict) =>
			conflict
				.columns(['node', 'execution'])
				.doUpdateSet(({ eb }) => ({ attempt: eb('executions.attempt', '+', step) })),
		)
		.returning('attempt')
		.executeTakeFirstOrThrow();
	return attempt;
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
