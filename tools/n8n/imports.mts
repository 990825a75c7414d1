import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { readObjects } from '../files/json.mts';
import type { ImportedCredential } from '../sandbox/credentials.mts';

/** Settings with which n8n imports, as soon as it has started, what {@link importAtStart} left in its folder. */
export const IMPORTS = {
	EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'import-hook.cjs'),
	EXTERNAL_HOOK_FILES_SEPARATOR: delimiter,
};

interface Importable {
	/** With plain `data`. */
	credentials: ImportedCredential;
	workflow: object;
	/** An installed package, to be listed under "Settings > Community nodes". */
	packages: { name: string };
}

/**
 * Has n8n's next start import values, because n8n's own command for it takes as long as a start. Existing values with the
 * same ID are replaced. Until then, the values lie in the folder in plain text, as n8n requires.
 */
export async function importAtStart<Kind extends keyof Importable>(
	userFolder: string,
	kind: Kind,
	values: Importable[Kind][],
): Promise<void> {
	const file = join(userFolder, `import-${kind}.json`);
	const before = existsSync(file)
		? readObjects(JSON.parse(await readFile(file, 'utf8')), file)
		: [];
	await writeFile(file, JSON.stringify([...before, ...values]), { mode: 0o600 });
}
