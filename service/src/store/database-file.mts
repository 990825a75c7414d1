/** The file of a SQLite database while it is open: SQLite goes on writing into one that was moved away. */
import { stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Time between two looks at the file, in milliseconds. */
const LOOK_MS = 1_000;

/** A database file, and which one it was when it was opened. */
export interface OpenedFile {
	path: string;
	/** Device and inode. */
	identity: string;
}

async function identityOf(path: string): Promise<string | undefined> {
	const found = await stat(path, { bigint: true }).catch(() => undefined);
	return found && `${found.dev} ${found.ino}`;
}

/**
 * Opens a database file, and keeps which one it was. That is asked before: a file that takes its place from then on is another
 * one, however soon it comes.
 *
 * @param open opens it, and makes it if there is none
 * @example const [db, file] = await opened('/var/lib/wallet-service/wallet-service.sqlite', openDatabase)
 */
export async function opened<Opened>(
	path: string,
	open: (path: string) => Promise<Opened>,
): Promise<[Opened, OpenedFile]> {
	const before = await identityOf(path);
	const database = await open(path);
	return [database, { path, identity: before ?? (await identityOf(path)) ?? 'none' }];
}

/**
 * Looks at the file of a database until it is another one, or none: what is written then would be lost with the next start,
 * and with it the keys of writes.
 *
 * @throws Error on one line once it is; never returns
 * @example await Promise.race([stopped, untilReplaced(file)])
 */
export async function untilReplaced({ path, identity }: OpenedFile): Promise<never> {
	while ((await identityOf(path)) === identity) {
		await setTimeout(LOOK_MS, undefined, { ref: false });
	}
	throw new Error(
		`${path} was replaced or moved while the service ran, so it ends: it would forget what it sends. Put the file back before you start it again`,
	);
}
