/** PostgreSQL: its connections, and what is reported if it does not serve. */
import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { PostgresCursor, PostgresQueryResult } from 'kysely';
import type { Database } from './tables.mts';

/**
 * Longest time for a statement, between two of a transaction, and without a word from a connection, in milliseconds. A machine
 * that fails ends no connection: the rows that it had locked would stay so, and its answers would be waited for, for hours.
 */
const STATEMENT_MS = 20_000;
const PAUSE_MS = 10_000;
const SILENT_MS = 24_000;

/** Pause before a connection is asked for again, in milliseconds: the time of a restart. */
const RESTART_MS = 1_000;

const SETTING = 'the setting "database" (DATABASE_URL)';

/** Codes of connections that have ended, and of servers that stop or start (PostgreSQL, appendix A). */
const ENDED: readonly string[] = [
	...['57P01', '57P02', '57P03', '08000', '08003', '08006'],
	...['ECONNREFUSED', 'ECONNRESET', 'EPIPE'],
];
/** The words of `pg` for the same, which have no code; a connection that took too long is not asked for again. */
const HAS_ENDED = /^Connection terminated(?! due to connection timeout)|not queryable$/;

/** Statements that write nothing. */
const READS = /^(?:begin|select|show)\b/i;

/** Codes of a refused user or password, and of a missing database. */
const REFUSED: readonly string[] = ['28P01', '28000'];
const NO_DATABASE = '3D000';
const NO_PASSWORD = /password must be a (?:non-empty )?string/;

/** Codes of hosts that are not found or not reached. */
const UNREACHED = /^E(?:CONN|NOTFOUND|AI_|HOST|NET|TIMEDOUT|ADDR|PIPE|ACCES|INVAL)|^57P|^08/;

const codeOf = (error: unknown): string => {
	const { code }: { code?: unknown } = Object(error);
	return typeof code === 'string' ? code : '';
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');

const hasEnded = (error: unknown): boolean =>
	ENDED.includes(codeOf(error)) || HAS_ENDED.test(messageOf(error));

/**
 * Why a connection failed, without anything of the URL: where a character of the password is not percent-encoded, a part of the
 * password is taken for the host or the database, which the errors of the driver name.
 */
function refusalOf(error: unknown): Error {
	const code = codeOf(error);
	if (REFUSED.includes(code) || NO_PASSWORD.test(messageOf(error))) {
		return new Error(`PostgreSQL refuses the user name or the password in ${SETTING}`);
	}
	if (code === NO_DATABASE) {
		return new Error(`PostgreSQL has no database with the name in ${SETTING}`);
	}
	const coded = code === '' ? '' : ` (${code})`;
	const isUnreached = UNREACHED.test(code) || /^Connection terminated/.test(messageOf(error));
	return new Error(
		isUnreached
			? `No PostgreSQL server answers at the address in ${SETTING}${coded}`
			: `The database of ${SETTING} cannot be opened${coded}`,
	);
}

/** A connection of the pool; a server that restarts is waited for once. @throws Error on one line, without the URL */
async function connected(pool: PostgresPool): Promise<PostgresPoolClient> {
	try {
		return await pool.connect();
	} catch (error) {
		if (!hasEnded(error)) throw refusalOf(error);
		await setTimeout(RESTART_MS);
		return await pool.connect().catch((again: unknown) => {
			throw refusalOf(again);
		});
	}
}

/**
 * A connection that is replaced once if it has ended before anything was written: a statement that only reads, or the begin of
 * a transaction, which is then repeated. Whether a statement that writes took place is not known.
 */
class LastingClient implements PostgresPoolClient {
	readonly #pool: PostgresPool;
	#client: PostgresPoolClient;
	#isBegun = false;

	constructor(pool: PostgresPool, client: PostgresPoolClient) {
		this.#pool = pool;
		this.#client = client;
	}

	query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
	query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
	query<R>(statement: string | PostgresCursor<R>, values: readonly unknown[] = []) {
		if (typeof statement !== 'string') return this.#client.query(statement);
		return this.#ask<R>(statement, values);
	}

	release(isDiscarded?: boolean): void {
		this.#client.release(isDiscarded);
	}

	async #ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
		const isFirst = !this.#isBegun;
		this.#isBegun = true;
		try {
			return await this.#client.query<R>(text, values);
		} catch (error) {
			if (!isFirst || !hasEnded(error) || !READS.test(text)) throw error;
			this.#client.release(true);
			// Others may have ended at the same moment, which the pool does not know yet.
			await setTimeout();
			this.#client = await connected(this.#pool);
			return await this.#client.query<R>(text, values);
		}
	}
}

/** A connection that ends when it has been silent for too long. */
function newSocket(): Socket {
	const socket = new Socket();
	const end = () => socket.destroy(new Error('The database does not answer'));
	return socket.setTimeout(SILENT_MS, end);
}

export async function openPostgres(url: string): Promise<PostgresDialect> {
	// Loaded only if needed.
	const { default: pg } = await import('pg');
	const pool = new pg.Pool({
		connectionString: url,
		max: 10,
		// Also the longest wait for a free connection; an answer is due later.
		connectionTimeoutMillis: 20_000,
		stream: newSocket,
		// A setting of the server could let it answer a commit before it is on the disk, or change texts.
		options: `-c synchronous_commit=on -c client_encoding=UTF8 -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=${PAUSE_MS}`,
	});
	// A connection that ends is replaced; without these listeners the process would end.
	pool.on('error', () => undefined);
	pool.on('connect', (client) => client.on('error', () => undefined));
	return new PostgresDialect({
		pool: {
			connect: async () => new LastingClient(pool, await connected(pool)),
			end: async () => await pool.end(),
			options: pool.options,
		},
	});
}

/** @throws Error on one line if the database cannot hold every text: reasons of reverts are in any language */
export async function assertUnicode(db: Database): Promise<void> {
	const { rows } = await sql<{ server_encoding: string }>`SHOW server_encoding`.execute(db);
	const encoding = rows[0]?.server_encoding;
	if (encoding === 'UTF8') return;
	throw new Error(
		`The PostgreSQL database has the encoding ${encoding}, not UTF8: create one with createdb --encoding=UTF8 --template=template0`,
	);
}
