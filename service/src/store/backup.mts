/** Copies of the database while it is in use, and what they contain. */
import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { openCopy } from './open.mts';
import type { Database } from './tables.mts';

/** First bytes of a dump by `pg_dump`. */
const DUMP = 'PGDMP';

const COUNTED = ['users', 'wallets', 'tokens', 'writes'] as const;

/** What a copy contains. */
export interface Contents {
	kind: 'SQLite' | 'PostgreSQL';
	/** Values of the table `meta`, by name. */
	meta: Map<string, string>;
	wallets: { address: string; source: string }[];
	/** Number of rows, by table. */
	counts: Record<(typeof COUNTED)[number], number>;
}

/** Beside a copy, in the form of `sha256sum`. */
const checksumFile = (file: string): string => `${file}.sha256`;

async function sha256Of(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/**
 * Compares a copy with the SHA-256 that was written beside it.
 *
 * @returns whether there is one
 * @throws Error if they differ
 */
export async function compareChecksum(file: string): Promise<boolean> {
	const line = await readFile(checksumFile(file), 'utf8').catch(() => undefined);
	if (line === undefined) return false;
	if (line.split(' ')[0] === (await sha256Of(file))) return true;
	throw new Error(`${file} has changed since it was made: its SHA-256 is another one`);
}

async function syncToDisk(path: string): Promise<void> {
	const handle = await open(path, 'r');
	await handle.sync();
	await handle.close();
}

/** @throws Error on one line if the program is missing or fails */
function problemOf(program: string, error: unknown): Error {
	const { code, stderr = '' }: { code?: unknown; stderr?: string } = Object(error);
	if (code === 'ENOENT') {
		return new Error(`${program} is not installed: install the client programs of PostgreSQL`);
	}
	return new Error(`${program}: ${stderr.trim().split('\n')[0] || String(error)}`);
}

/** The password goes by the environment: every user of the machine sees arguments. */
async function dump(url: string, file: string): Promise<void> {
	const target = new URL(url);
	const password = target.searchParams.get('password') ?? decodeURIComponent(target.password);
	target.password = '';
	target.searchParams.delete('password');
	const args = ['--format=custom', '--no-owner', `--file=${file}`, `--dbname=${target}`];
	const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
	await promisify(execFile)('pg_dump', args, { env }).catch((error: unknown) => {
		throw problemOf('pg_dump', error);
	});
}

/**
 * Copies the database as it is at one moment, whatever is written meanwhile, and writes its SHA-256
 * beside it. The copy is on the disk when it has its name.
 *
 * @param url of a PostgreSQL server; undefined for SQLite
 * @throws Error if the file exists or cannot be written
 */
export async function copyDatabase(
	db: Database,
	url: string | undefined,
	file: string,
): Promise<void> {
	if (file === '') throw new Error('The file name is empty');
	for (const name of [file, checksumFile(file)]) {
		const exists = await access(name).then(
			() => true,
			() => false,
		);
		if (exists) throw new Error(`${name} exists already`);
	}
	const folder = dirname(file);
	if (!(await stat(folder).catch(() => undefined))?.isDirectory()) {
		throw new Error(`There is no folder ${folder}: create it first`);
	}
	const draft = `${file}.${randomUUID()}.part`;
	// Created here, because the database would let others read it.
	await (await open(draft, 'wx', 0o600)).close();
	try {
		if (url === undefined) await sql`VACUUM INTO ${draft}`.execute(db);
		else await dump(url, draft);
		await syncToDisk(draft);
		const line = `${await sha256Of(draft)}  ${basename(file)}\n`;
		await rename(draft, file);
		await writeFile(checksumFile(file), line, { flag: 'wx', mode: 0o600, flush: true });
		await syncToDisk(folder);
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	}
}

async function readSqlite(file: string): Promise<Contents> {
	const db = openCopy(file);
	try {
		const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(db);
		const problems = rows.map((row) => row.integrity_check).filter((text) => text !== 'ok');
		const { rows: orphans } = await sql`PRAGMA foreign_key_check`.execute(db);
		if (problems.length + orphans.length > 0) throw new Error(problems[0] ?? 'rows are missing');
		const meta = await db.selectFrom('meta').selectAll().execute();
		const wallets = await db.selectFrom('wallets').select(['address', 'source']).execute();
		const counts = { users: 0, wallets: 0, tokens: 0, writes: 0 };
		for (const table of COUNTED) {
			const count = db.selectFrom(table).select(({ fn }) => fn.countAll().as('count'));
			counts[table] = Number((await count.executeTakeFirstOrThrow()).count);
		}
		return {
			kind: 'SQLite',
			wallets,
			counts,
			meta: new Map(meta.map(({ name, value }) => [name, value])),
		};
	} finally {
		await db.destroy();
	}
}

const COPY = /^COPY \S+\.(\w+) \((.*)\) FROM stdin;$/;

/** Reads all of a dump, by the program that restores it. */
async function readDump(file: string): Promise<Contents> {
	const child = spawn('pg_restore', ['--data-only', '--file=-', file]);
	let stderr = '';
	child.stderr.on('data', (text: Buffer) => (stderr += String(text)));
	const ended = new Promise<void>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (code) => (code === 0 ? resolve() : reject({ stderr })));
	}).catch((error: unknown) => {
		throw problemOf('pg_restore', error);
	});
	const tables = new Map<string, Record<string, string>[]>();
	const counts = { users: 0, wallets: 0, tokens: 0, writes: 0 };
	let current: { name: string; columns: string[] } | undefined;
	for await (const line of createInterface({ input: child.stdout })) {
		const [, name, columns] = COPY.exec(line) ?? [];
		if (!current && name !== undefined) {
			current = { name, columns: (columns ?? '').split(', ') };
			tables.set(name, []);
		} else if (line === '\\.') current = undefined;
		else if (current) {
			const counted = COUNTED.find((table) => table === current?.name);
			if (counted) counts[counted] += 1;
			if (current.name !== 'meta' && current.name !== 'wallets') continue;
			const values = line.split('\t');
			const row = current.columns.map((column, place) => [column, values[place] ?? '']);
			tables.get(current.name)?.push(Object.fromEntries(row));
		}
	}
	await ended;
	const wallets = tables.get('wallets') ?? [];
	return {
		kind: 'PostgreSQL',
		counts,
		meta: new Map(tables.get('meta')?.map(({ name = '', value = '' }) => [name, value])),
		wallets: wallets.map(({ address = '', source = '' }) => ({ address, source })),
	};
}

/** Reads a copy and checks that it is intact. @throws Error if it is not */
export async function readCopy(file: string): Promise<Contents> {
	const handle = await open(file).catch(() => undefined);
	if (!handle) throw new Error(`${file} cannot be read`);
	const start = await handle.read(Buffer.alloc(DUMP.length), 0);
	await handle.close();
	if (String(start.buffer) === DUMP) return await readDump(file);
	try {
		return await readSqlite(file);
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new Error(`${file} is not an intact copy: ${reason}`, { cause });
	}
}
