import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder. Its disposal removes it with everything in it. @param purpose - Part of the folder's name. */
export const temporaryFolder = async (purpose: string) =>
	await mkdtempDisposable(join(tmpdir(), `wallet-service-${purpose}-`));
