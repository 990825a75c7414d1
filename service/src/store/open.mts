import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { migrate } from './migrations.mts';
import { assertUnicode, openPostgres } from './postgres.mts';
import type { Database, Tables } from './tables.mts';

/** Time to wait for another process's transaction on the same file, in milliseconds. */
const BUSY_MS = 5_000;

/** The interface of kysely's dialect, over the SQLite of Node.js. */
function adapt(database: DatabaseSync): SqliteDatabase {
	const statements = new Map<string, StatementSync>();
	const prepare = (text: string): StatementSync => {
		const known = statements.get(text);
		if (known) return known;
		const statement = database.prepare(text);
		statements.set(text, statement);
		return statement;
	};
	const values = (parameters: readonly unknown[]) => parameters as SQLInputValue[];
	return {
		close: () => database.close(),
		prepare(text) {
			// A transaction that begins by reading could not write once another process has written.
			const statement = prepare(text === 'begin' ? 'begin immediate' : text);
			return {
				reader: statement.columns().length > 0,
				all: (parameters) => statement.all(...values(parameters)),
				run: (parameters) => statement.run(...values(parameters)),
				iterate: (parameters) => statement.iterate(...values(parameters)),
			};
		},
	};
}

function openSqlite(file: string): SqliteDialect {
	const isFile = file !== ':memory:';
	if (isFile) {
		// Created here, because SQLite would let others read it.
		closeSync(openSync(file, 'a', 0o600));
		chmodSync(file, 0o600);
	}
	const database = new DatabaseSync(file, { timeout: BUSY_MS });
	if (isFile) database.exec('PRAGMA journal_mode = WAL');
	// Each commit is on the disk before it is answered: it survives a power cut.
	database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
	return new SqliteDialect({ database: adapt(database) });
}

/** Opens a copy of a SQLite database, only for reading. */
export function openCopy(file: string): Database {
	const database = adapt(new DatabaseSync(file, { readOnly: true }));
	return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

/** A database to open: the URL of a PostgreSQL server, a file of SQLite, or `:memory:`. */
export type DatabaseLocation = string;

const isPostgres = (location: DatabaseLocation): boolean => /^postgres(ql)?:/.test(location);

async function connect(location: DatabaseLocation): Promise<Database> {
	if (!isPostgres(location)) return new Kysely<Tables>({ dialect: openSqlite(location) });
	const db = new Kysely<Tables>({ dialect: await openPostgres(location) });
	await ifUsable(db, assertUnicode);
	return db;
}

/** Does something with a database, which is closed if that fails. */
async function ifUsable(db: Database, work: (db: Database) => Promise<void>): Promise<void> {
	try {
		await work(db);
	} catch (error) {
		await db.destroy();
		throw error;
	}
}

/**
 * Opens the database, and brings its tables to the version of this program.
 *
 * @throws Error if it cannot be opened, or belongs to a newer program
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
	const db = await connect(location);
	await ifUsable(db, async () => await migrate(db, isPostgres(location)));
	return db;
}

/** Tries a PostgreSQL database, without changing it. @throws Error on one line if the service cannot use it */
export async function tryDatabase(location: DatabaseLocation): Promise<void> {
	await (await connect(location)).destroy();
}
