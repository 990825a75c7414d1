/** A database that is set back to a backup: copies, their restoring, and the keys that they know. */
import { rm, copyFile } from 'node:fs/promises';
import { execa } from 'execa';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { InstalledService } from '../../../tools/wallet/installed-service.mts';
import type { DatabaseKind } from './network-and-service.mts';

/** Restores a backup as docs/service-production.md describes it. */
export async function restore(
	{ database }: InstalledService,
	kind: DatabaseKind,
	file: string,
): Promise<void> {
	if (kind === 'postgres') {
		const args = ['--clean', '--if-exists', '--no-owner', '--single-transaction'];
		await execa('pg_restore', [...args, `--dbname=${database}`, file]);
		return;
	}
	for (const end of ['-wal', '-shm']) await rm(database + end, { force: true });
	await copyFile(file, database);
}

/** The keys of all writes, with the hashes of their first transactions. */
export async function recordedHashes({ database }: InstalledService): Promise<Map<string, string>> {
	const db = await openDatabase(database);
	const rows = await db
		.selectFrom('writes')
		.innerJoin('attempts', 'attempts.write_id', 'writes.id')
		.select(['key', 'hash'])
		.where('no', '=', 1)
		.execute();
	await db.destroy();
	return new Map(rows.map(({ key, hash }) => [key, hash]));
}
