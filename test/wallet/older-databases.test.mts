/** Databases of older versions: what they hold is known as before. */
import { execa } from 'execa';
import { newestAttempt } from '../../service/src/store/labels.mts';
import { MIGRATIONS } from '../../service/src/store/migrations.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { newestTransfers } from '../../service/src/store/transfers.mts';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Resources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { DATABASES, useDatabases } from './support/network-and-service.mts';

/** The last version in which a log was a block and an index. */
const OLD = 6;
const PAGE = 3;

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, 'aB')}`;

/** Rows of an older version: of two wallets, several of a block, of a log, and of a transaction that was moved. */
const ROWS = [
	...Array.from({ length: 40 }, (_unused, number) => ({
		wallet: number % 2,
		block: 10 + Math.floor(number / 8),
		log: (number % 8) * 3,
		part: 0,
		hash: hashOf(Math.floor(number / 2)),
		value: number + 1,
	})),
	{ wallet: 0, block: 90, log: 1, part: 0, hash: hashOf(500), value: 51 },
	{ wallet: 0, block: 90, log: 1, part: 1, hash: hashOf(500), value: 52 },
];
const MOVED = { ...ROWS[0], block: 91 };

const insertOf = ({ wallet = 0, block = 0, log = 0, part = 0, hash = '', value = 0 }) =>
	`INSERT INTO transfers (wallet_id, block, log_index, part, standard, sent, party, token, value, hash, time)
		VALUES (${wallet}, ${block}, ${log}, ${part}, 20, 0, '0xParty', '0xToken', '${value}', '${hash}', ${1_700_000_000 + block})`;

/** The last version in which each user had attempts of their own. */
const OF_USERS = 9;

const usersWithAttempts = [
	...[1, 2].flatMap((number) => [
		`INSERT INTO wallets (id, address, source, next_nonce, state) VALUES (${number}, '0x${number}', '${number}', 0, 'open')`,
		`INSERT INTO users (id, provider, username, wallet_id, created_at) VALUES ('user ${number}', 'a', 'a', ${number}, '')`,
		`INSERT INTO executions (user_id, node, execution, attempt) VALUES ('user ${number}', 'node', 'both', ${number})`,
	]),
	"INSERT INTO executions (user_id, node, execution, attempt) VALUES ('user 1', 'node', 'own', 5)",
];

const statementsOf = (version: number, inserts: readonly string[]) =>
	[
		'CREATE TABLE meta (name text PRIMARY KEY, value text NOT NULL)',
		`INSERT INTO meta VALUES ('version', '${version}')`,
		...MIGRATIONS.slice(0, version).flat(),
		...inserts,
	].join(';\n');

describe.each(DATABASES)('on %s', (kind) => {
	const newDatabase = useDatabases(kind);

	async function oldDatabase(own: Resources, statements: string): Promise<string> {
		if (kind === 'postgres') {
			const url = await newDatabase();
			await execa('psql', ['--quiet', `--dbname=${url}`, '--set=ON_ERROR_STOP=1'], {
				input: statements,
			});
			return url;
		}
		const { path } = await own.use(temporaryFolder('old'));
		const file = join(path, 'old.db');
		const old = new DatabaseSync(file);
		old.exec(statements);
		old.close();
		return file;
	}

	test('its rows are listed in the same order, in pages, and at the positions of old links', async () => {
		await using own = new Resources();
		const statements = statementsOf(OLD, [...ROWS, MOVED].map(insertOf));
		const db = await openDatabase(await oldDatabase(own, statements));
		await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
		for (const wallet of [0, 1]) {
			const isIn = (row: (typeof ROWS)[number]) => row.wallet === wallet && row !== ROWS[0];
			const moved =
				wallet === 0 ? [{ ...MOVED, hash: ROWS[0]?.hash ?? '', log: 0, part: 0, value: 1 }] : [];
			const expected = [...moved, ...ROWS.filter(isIn)]
				.sort((a, b) => b.block - a.block || b.log - a.log || b.part - a.part)
				.map(({ block, hash, value }) => [block, hash.toLowerCase(), String(value)]);
			const rows = await newestTransfers(db, wallet, 1_000);
			expect(rows.map((row) => [row.block, row.hash, row.value])).toEqual(expected);
			for (const withIndex of [true, false]) {
				const pages = [];
				let page = await newestTransfers(db, wallet, PAGE);
				while (page.length > 0) {
					pages.push(...page);
					const { tx_index: index = 0, ...last } = page.at(-1) ?? {
						block: 0,
						log_index: 0,
						part: 0,
					};
					page = await newestTransfers(
						db,
						wallet,
						PAGE,
						withIndex ? { ...last, tx_index: index } : last,
					);
				}
				expect(pages).toEqual(rows);
			}
		}
		const rows = await db.selectFrom('transfers').select('hash').execute();
		expect(rows).toHaveLength(ROWS.length);
	});

	test('an execution keeps the newest of its attempts, which are now those of all users', async () => {
		await using own = new Resources();
		const statements = statementsOf(OF_USERS, usersWithAttempts);
		const db = await openDatabase(await oldDatabase(own, statements));
		await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
		const attempts = ['both', 'own', 'none'].map((execution) =>
			newestAttempt(db, { node: 'node', execution }),
		);
		expect(await Promise.all(attempts)).toEqual([2, 5, 0]);
	});
});
