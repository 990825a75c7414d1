import { PostgresAdapter, sql } from 'kysely';
import type { Queries } from './tables.mts';

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
