import { PostgresAdapter, sql } from 'kysely';
import type { Queries } from './tables.mts';

/** In seconds. */
export const DAY = 86_400;

/** The time of the database, which all processes share, however their own clocks differ. */
export async function databaseTime(db: Queries): Promise<Date> {
	// Of this moment, not of the beginning of a transaction, which may have waited.
	const time =
		db.getExecutor().adapter instanceof PostgresAdapter
			? sql`clock_timestamp()`
			: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
	const { rows } = await sql<{ now: Date | string }>`SELECT ${time} AS now`.execute(db);
	const [{ now } = {}] = rows;
	if (now === undefined) throw new Error('The database does not tell the time');
	return new Date(now);
}

/** A time so many seconds ago, in the form in which times are kept: ISO 8601, UTC. */
export async function secondsAgo(db: Queries, seconds: number): Promise<string> {
	return new Date((await databaseTime(db)).getTime() - seconds * 1_000).toISOString();
}
