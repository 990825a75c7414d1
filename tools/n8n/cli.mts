import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { endWithParent } from '../files/paths.mts';
import { freePort } from '../network/ports.mts';
import type { ImportedCredential } from '../sandbox/credentials.mts';
import { n8nEnvironment } from './environment.mts';
import { n8nOf } from './program.mts';

/** Imports values from a file, as n8n requires; then removes the file, because it holds credentials in plain text. */
async function importValues(userFolder: string, kind: string, values: object[]): Promise<void> {
	const file = join(userFolder, `${kind}.json`);
	await writeFile(file, JSON.stringify(values), { mode: 0o600 });
	try {
		const env = n8nEnvironment(userFolder, await freePort());
		const { node, program } = n8nOf(userFolder);
		const command = ['--require', endWithParent, program, `import:${kind}`, `--input=${file}`];
		const settings = { env, cwd: userFolder, extendEnv: false, all: true, reject: false } as const;
		const { exitCode, all, signal } = await execa(node, command, settings);
		// n8n's SQLite can crash while the process exits, after everything has been printed (TryGhost/node-sqlite3#1323).
		const hasEnded = exitCode === 0 || signal === 'SIGSEGV';
		// n8n reports a failed import with exit code 0.
		if (!hasEnded || !all.includes('Successfully imported')) {
			throw new Error(`n8n did not import the ${kind}:\n${all}`);
		}
	} finally {
		await rm(file);
	}
}

/** Imports credentials with plain `data`; existing ones with the same ID are replaced. */
export const importCredentials = (folder: string, values: ImportedCredential[]): Promise<void> =>
	importValues(folder, 'credentials', values);

/** Imports workflows; existing ones with the same ID are replaced. */
export const importWorkflows = (folder: string, values: object[]): Promise<void> =>
	importValues(folder, 'workflow', values);
