import { sql } from 'kysely';
import type { Database, Queries } from './tables.mts';

/** SQL of both databases, forward only: version n is reached by the first n entries. */
export const MIGRATIONS: readonly (readonly string[])[] = [
	[
		`CREATE TABLE wallets (
			id integer PRIMARY KEY, address text NOT NULL UNIQUE, source text NOT NULL UNIQUE,
			next_nonce integer NOT NULL, state text NOT NULL CHECK (state IN ('open', 'closed')), closed_reason text)`,
		`CREATE TABLE users (
			id text PRIMARY KEY, provider text NOT NULL, username text NOT NULL, email text,
			wallet_id integer NOT NULL UNIQUE REFERENCES wallets, created_at text NOT NULL, disabled_at text)`,
		`CREATE TABLE tokens (
			id text PRIMARY KEY, user_id text NOT NULL REFERENCES users, sha256 text NOT NULL UNIQUE, prefix text NOT NULL,
			scopes text NOT NULL, created_at text NOT NULL, expires_at text, revoked_at text)`,
		`CREATE TABLE writes (
			id text PRIMARY KEY, user_id text NOT NULL REFERENCES users, token_id text, key text NOT NULL, fingerprint text,
			wallet_id integer NOT NULL REFERENCES wallets, nonce integer,
			to_address text NOT NULL, data text NOT NULL, value text NOT NULL, cost text NOT NULL,
			state text NOT NULL CHECK (state IN ('signed', 'accepted', 'mined', 'final', 'cancelled', 'foreign', 'void')),
			mined_hash text, block_number integer, block_hash text, status integer,
			created_at text NOT NULL, final_at text,
			CHECK ((state = 'void') = (nonce IS NULL)), CHECK ((nonce IS NULL) = (fingerprint IS NULL)),
			UNIQUE (user_id, key), UNIQUE (wallet_id, nonce))`,
		`CREATE INDEX open_writes ON writes (wallet_id, nonce) WHERE state IN ('signed', 'accepted', 'mined')`,
		`CREATE TABLE attempts (
			hash text PRIMARY KEY, write_id text NOT NULL REFERENCES writes, no integer NOT NULL,
			kind text NOT NULL CHECK (kind IN ('call', 'noop')), raw text NOT NULL, sent_at text NOT NULL,
			UNIQUE (write_id, no))`,
		`CREATE TABLE audit (
			id text PRIMARY KEY, at text NOT NULL, actor text NOT NULL, action text NOT NULL, subject text NOT NULL)`,
	],
	['ALTER TABLE writes ADD COLUMN revert_reason text'],
	[
		`ALTER TABLE attempts ADD COLUMN created_at text NOT NULL DEFAULT ''`,
		'UPDATE attempts SET created_at = sent_at',
	],
	[
		'ALTER TABLE tokens ADD COLUMN limits text',
		`CREATE TABLE spends (
			write_id text NOT NULL REFERENCES writes, token_id text NOT NULL REFERENCES tokens,
			asset text NOT NULL, amount text NOT NULL,
			state text NOT NULL CHECK (state IN ('reserved', 'settled', 'released')), at text NOT NULL,
			PRIMARY KEY (write_id, asset))`,
		'CREATE INDEX spends_of_tokens ON spends (token_id, asset, at)',
		`CREATE INDEX reserved_spends ON spends (token_id, asset) WHERE state = 'reserved'`,
	],
	[
		'CREATE TABLE blocks (number integer PRIMARY KEY, hash text NOT NULL)',
		'CREATE TABLE cursors (name text PRIMARY KEY, block integer NOT NULL, hash text, until integer)',
		`CREATE TABLE transfers (
			wallet_id integer NOT NULL, block integer NOT NULL, log_index integer NOT NULL, part integer NOT NULL,
			standard integer NOT NULL, sent integer NOT NULL, party text NOT NULL, token text NOT NULL, value text NOT NULL,
			hash text NOT NULL, time bigint NOT NULL, PRIMARY KEY (wallet_id, block, log_index, part))`,
		'CREATE INDEX transfers_by_block ON transfers (block)',
	],
	['ALTER TABLE wallets ADD COLUMN is_compared integer NOT NULL DEFAULT 0'],
	[
		'ALTER TABLE writes ADD COLUMN last_refusal text',
		'ALTER TABLE writes ADD COLUMN waiting_reason text',
	],
	[
		`CREATE TABLE moved (
			hash text NOT NULL, wallet_id integer NOT NULL, log_index integer NOT NULL, part integer NOT NULL,
			block integer NOT NULL, tx_index integer NOT NULL, standard integer NOT NULL, sent integer NOT NULL,
			party text NOT NULL, token text NOT NULL, value text NOT NULL, time bigint NOT NULL,
			PRIMARY KEY (hash, wallet_id, log_index, part))`,
		// A transaction that is listed in two blocks is in the later one: a reorganisation moved it.
		`INSERT INTO moved
			SELECT lower(hash), wallet_id, log_index, part, block, 0, standard, sent, party, token, value, time
			FROM transfers WHERE true ORDER BY block DESC ON CONFLICT DO NOTHING`,
		'DROP TABLE transfers',
		'ALTER TABLE moved RENAME TO transfers',
		'CREATE INDEX transfers_by_wallet ON transfers (wallet_id, block, tx_index, log_index, part)',
		'CREATE INDEX transfers_by_block ON transfers (block)',
	],
	[
		`CREATE TABLE labels (
			write_id text PRIMARY KEY REFERENCES writes, user_id text NOT NULL REFERENCES users,
			node text NOT NULL, execution text NOT NULL, place text, call text, at text NOT NULL)`,
		'CREATE INDEX labels_of_executions ON labels (user_id, node, execution)',
		'CREATE INDEX labels_of_calls ON labels (user_id, node, call, at)',
		`CREATE TABLE executions (
			user_id text NOT NULL REFERENCES users, node text NOT NULL, execution text NOT NULL, attempt integer NOT NULL,
			PRIMARY KEY (user_id, node, execution))`,
	],
	[
		`CREATE TABLE attempts_of_executions (
			node text NOT NULL, execution text NOT NULL, attempt integer NOT NULL, PRIMARY KEY (node, execution))`,
		`INSERT INTO attempts_of_executions
			SELECT node, execution, max(attempt) FROM executions GROUP BY node, execution`,
		'DROP TABLE executions',
		'ALTER TABLE attempts_of_executions RENAME TO executions',
		'DROP INDEX labels_of_executions',
		'CREATE INDEX labels_of_executions ON labels (node, execution, user_id)',
	],
	[`CREATE INDEX fences_of_tokens ON writes (token_id, created_at) WHERE state = 'void'`],
	[
		'ALTER TABLE executions ADD COLUMN token_id text',
		'ALTER TABLE executions ADD COLUMN begun_at text',
		'CREATE INDEX executions_of_tokens ON executions (token_id, begun_at) WHERE token_id IS NOT NULL',
	],
];

/** Version of the tables that this program makes. */
export const NEWEST_VERSION = MIGRATIONS.length;

/** Number of the advisory lock under which PostgreSQL migrates: any number that other programs do not use. */
const LOCK = 4_512_907_811;

async function readVersion(db: Queries): Promise<number> {
	const { rows } = await sql<{
		value: string;
	}>`SELECT value FROM meta WHERE name = 'version'`.execute(db);
	return Number(rows[0]?.value ?? 0);
}

async function hasMeta(db: Queries, isPostgres: boolean): Promise<boolean> {
	const query = isPostgres
		? sql`SELECT 1 FROM information_schema.tables WHERE table_name = 'meta' AND table_schema = current_schema()`
		: sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'`;
	return (await query.execute(db)).rows.length > 0;
}

/**
 * Brings the tables to the version of this program. Takes a lock, and only if the version differs: creating tables while
 * another process writes to them can end in a deadlock.
 *
 * @throws Error if a newer program has used the database
 */
export async function migrate(db: Database, isPostgres: boolean): Promise<void> {
	const newest = NEWEST_VERSION;
	const current = async (queries: Queries) =>
		(await hasMeta(queries, isPostgres)) ? await readVersion(queries) : 0;
	if ((await current(db)) !== newest) {
		await db.transaction().execute(async (transaction) => {
			if (isPostgres) await sql`SELECT pg_advisory_xact_lock(${LOCK})`.execute(transaction);
			const version = await current(transaction);
			if (version > newest) {
				throw new Error(
					`The database has version ${version}, this program only knows ${newest}. Use the newer program.`,
				);
			}
			if (version === 0) {
				await sql`CREATE TABLE IF NOT EXISTS meta (name text PRIMARY KEY, value text NOT NULL)`.execute(
					transaction,
				);
			}
			for (const statement of MIGRATIONS.slice(version).flat()) {
				await sql.raw(statement).execute(transaction);
			}
			const value = String(newest);
			await transaction
				.insertInto('meta')
				.values({ name: 'version', value })
				.onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
				.execute();
		});
	}
}
