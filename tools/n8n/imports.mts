import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readObjects } from '../files/json.mts';
import type { ImportedCredential } from '../sandbox/credentials.mts';
import type { PackedPackage } from './package.mts';

/**
 * Settings with which n8n imports, as soon as it has started, what was left in its folder. n8n's own command for imports
 * takes as long as a start.
 */
export const IMPORTS = {
	EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'import-hook.cjs'),
	EXTERNAL_HOOK_FILES_SEPARATOR: delimiter,
};

/** Leaves values for the next start, in plain text, as n8n requires; {@link IMPORTS} removes the file. */
async function leave(userFolder: string, kind: string, values: object[]): Promise<void> {
	const file = join(userFolder, `import-${kind}.json`);
	const left = existsSync(file) ? await readFile(file, 'utf8') : '[]';
	const before = readObjects(JSON.parse(left), file);
	await writeFile(file, JSON.stringify([...before, ...values]), { mode: 0o600 });
}

/** Has the next start import credentials with plain `data`; existing ones with the same ID are replaced. */
export const importCredentials = (folder: string, values: ImportedCredential[]): Promise<void> =>
	leave(folder, 'credentials', values);

/** Has the next start import workflows; existing ones with the same ID are replaced. */
export const importWorkflows = (folder: string, values: object[]): Promise<void> =>
	leave(folder, 'workflow', values);

/** Has the next start list an installed package under "Settings > Community nodes". */
export const listPackage = (folder: string, { name }: PackedPackage): Promise<void> =>
	leave(folder, 'packages', [{ name }]);
