import { findPassword } from '../keys/password.mts';
import { unlockSeed, type SeedSigner } from '../keys/seed.mts';
import { assertPrivate } from '../config/private-file.mts';
import { homeOf, readSettings, type Home, type Settings } from '../config/settings.mts';
import { opened, type OpenedFile } from '../store/database-file.mts';
import { bind } from '../store/meta.mts';
import { openDatabase } from '../store/open.mts';
import type { Database } from '../store/tables.mts';
import { allWallets } from '../store/users.mts';
import { askPassword, isInteractive } from './questions.mts';

/** An initialised service whose database is open. */
export interface OpenHome extends AsyncDisposable {
	home: Home;
	settings: Settings;
	db: Database;
	/** The file of the database; none with PostgreSQL. */
	file?: OpenedFile;
}

/** @throws Error on one line that says what to do */
export async function openHome(environment: NodeJS.ProcessEnv): Promise<OpenHome> {
	const home = homeOf(environment);
	const settings = await readSettings(home, environment);
	await assertPrivate(home.folder, 'data folder');
	const [db, file] = settings.database
		? [await openDatabase(settings.database)]
		: await opened(home.database, openDatabase);
	return { home, settings, db, file, [Symbol.asyncDispose]: async () => await db.destroy() };
}

/** Ties a database to its seed by the address of the first wallet. @throws Error if it belongs to another seed */
export async function bindSeed(db: Database, signer: SeedSigner): Promise<void> {
	const first = await signer.addressOf('seed:0');
	await bind(db, 'first_address', first, (other) => {
		return `The key file holds another seed than the database: its first wallet is ${first}, not ${other}`;
	});
}

/**
 * Decrypts the seed and compares it with the database.
 *
 * @throws Error if the password is wrong, or the wallets of the database do not belong to the seed
 */
export async function unlock(
	{ home, db }: OpenHome,
	environment: NodeJS.ProcessEnv,
): Promise<SeedSigner> {
	const warn = (text: string) => process.stderr.write(`${text}\n`);
	const ask = isInteractive() ? () => askPassword('Password of the key file') : undefined;
	const signer = await unlockSeed(home.keys, await findPassword(environment, warn, ask));
	await bindSeed(db, signer);
	const newest = (await allWallets(db)).at(-1);
	if (newest && (await signer.addressOf(newest.source)) !== newest.address) {
		throw new Error(`The key file does not hold the key of wallet ${newest.address}`);
	}
	return signer;
}
