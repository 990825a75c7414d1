import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cleanup } from './cleanup.mts';

/**
 * Creates an empty folder.
 *
 * @param purpose - Part of its name.
 * @param cleanup - Removes it with everything in it.
 */
export async function temporaryFolder(cleanup: Cleanup, purpose: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), `wallet-service-${purpose}-`));
	await cleanup.add(() => rm(folder, { recursive: true, force: true }));
	return folder;
}
