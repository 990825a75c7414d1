import { chmodSync, closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, PostgresDialect, SqliteDialect, type SqliteDatabase } from 'kysely';
import type { Tables } from './tables.mts';
import { migrate } from './migrations.mts';
import type { Database } from './tables.mts';

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

/**
 * Longest time for a statement, between two of a transaction, and without a word from a connection, in milliseconds. A machine
 * that fails ends no connection: the rows that it had locked would stay so, and its answers would be waited for, for hours.
 */
const STATEMENT_MS = 20_000;
const PAUSE_MS = 10_000;
const SILENT_MS = 24_000;

/** A connection that ends when it has been silent for too long. */
function newSocket(): Socket {
	const socket = new Socket();
	const end = () => socket.destroy(new Error('The database does not answer'));
	return socket.setTimeout(SILENT_MS, end);
}

async function openPostgres(url: string): Promise<PostgresDialect> {
	// Loaded only if needed.
	const { default: pg } = await import('pg');
	const pool = new pg.Pool({
		connectionString: url,
		max: 10,
		// Also the longest wait for a free connection; an answer is due later.
		connectionTimeoutMillis: 20_000,
		stream: newSocket,
		// A setting of the server could let it answer a commit before it is on the disk.
		options: `-c synchronous_commit=on -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=${PAUSE_MS}`,
	});
	// A connection that ends is replaced; without these listeners the process would end.
	pool.on('error', () => undefined);
	pool.on('connect', (client) => client.on('error', () => undefined));
	return new PostgresDialect({ pool });
}

/** Opens a copy of a SQLite database, only for reading. */
export function openCopy(file: string): Database {
	const database = adapt(new DatabaseSync(file, { readOnly: true }));
	return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}

/** A database to open: the URL of a PostgreSQL server, a file of SQLite, or `:memory:`. */
export type DatabaseLocation = string;

/**
 * Opens the database, and brings its tables to the version of this program.
 *
 * @throws Error if it cannot be opened, or belongs to a newer program
 */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
	const isPostgres = /^postgres(ql)?:/.test(location);
	const dialect = isPostgres ? await openPostgres(location) : openSqlite(location);
	const db = new Kysely<Tables>({ dialect });
	try {
		await migrate(db, isPostgres);
	} catch (error) {
		await db.destroy();
		throw error;
	}
	return db;
}
