/** Measures the size of a history with many transfers, and the time until its newest ones are found. */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { getAddress, hexlify } from 'ethers';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database, TransferRow } from '../../../service/src/store/tables.mts';
import { addTransfers, newestTransfers } from '../../../service/src/store/transfers.mts';
import { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { postgresUrl, type DatabaseKind } from './network-and-service.mts';

const WALLETS = 1_000;
/** Transfers in a block, and in a transaction of the database. */
const IN_BLOCK = 10;
const TOGETHER = 10_000;
/** A page, and the one more that shows whether there are older ones. */
const PAGE = 101;
/** How often each is read; the fastest counts, because other programs use the machine, too. */
const TRIES = 3;

const random = (bytes: number) => hexlify(randomBytes(bytes));
const TOKENS = Array.from({ length: 50 }, () => getAddress(random(20)));
const PARTIES = Array.from({ length: 5_000 }, () => getAddress(random(20)));

/** A transfer of one of the wallets, which take turns. */
const rowAt = (number: number): TransferRow => ({
	wallet_id: number % WALLETS,
	block: 20_000_000 + Math.floor(number / IN_BLOCK),
	tx_index: (number % IN_BLOCK) * 5,
	log_index: (number % IN_BLOCK) * 17,
	part: 0,
	standard: 20,
	sent: number % 2,
	party: PARTIES[number % PARTIES.length] ?? '',
	token: TOKENS[number % TOKENS.length] ?? '',
	value: String(BigInt(random(8))),
	hash: random(32),
	time: 1_700_000_000 + number,
});

async function sizeOf(db: Database, file: string | undefined): Promise<number> {
	if (file !== undefined) return (await stat(file)).size;
	const { bytes } = await db
		.selectNoFrom(({ fn }) => fn<string>('pg_database_size', [fn('current_database')]).as('bytes'))
		.executeTakeFirstOrThrow();
	return Number(bytes);
}

export interface HistoryMeasure {
	/** Bytes of the database for each transfer. */
	bytes: number;
	/** Time for the newest transfers of a wallet, in milliseconds: of half of the wallets, of 99 in 100, and of the slowest. */
	times: [half: number, most: number, slowest: number];
}

export async function measureHistory(rows: number, kind: DatabaseKind): Promise<HistoryMeasure> {
	await using resources = new Resources();
	const { path: folder } = await resources.use(temporaryFolder('history'));
	const file = kind === 'sqlite' ? join(folder, 'history.db') : undefined;
	const db = await openDatabase(file ?? (await postgresUrl(resources)));
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	const empty = await sizeOf(db, file);
	for (let first = 0; first < rows; first += TOGETHER) {
		const length = Math.min(TOGETHER, rows - first);
		const some = Array.from({ length }, (_unused, place) => rowAt(first + place));
		await db.transaction().execute(async (transaction) => await addTransfers(transaction, some));
	}
	const bytes = ((await sizeOf(db, file)) - empty) / rows;
	const times: number[] = [];
	for (let wallet = 0; wallet < WALLETS; wallet++) {
		const tries: number[] = [];
		for (let number = 0; number < TRIES; number++) {
			const begun = performance.now();
			await newestTransfers(db, wallet, PAGE);
			tries.push(performance.now() - begun);
		}
		times.push(Math.min(...tries));
	}
	times.sort((a, b) => a - b);
	const at = (share: number) => times[Math.floor(share * (WALLETS - 1))] ?? Infinity;
	return { bytes: Math.round(bytes), times: [at(0.5), at(0.99), at(1)] };
}
