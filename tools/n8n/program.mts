import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readObject, readText } from '../files/json.mts';

const require = createRequire(import.meta.url);

/** The command line program of the n8n that the lockfile pins. */
export const n8nProgram = join(dirname(require.resolve('n8n/package.json')), 'bin', 'n8n');

/** An installed n8n and the Node.js that it runs on. */
export interface InstalledN8n {
	/** The Node.js executable. */
	node: string;
	/** n8n's own command line program. */
	program: string;
}

/** The n8n that the lockfile pins, on the Node.js that runs this. */
export const lockedN8n: InstalledN8n = { node: process.execPath, program: n8nProgram };

const noteIn = (userFolder: string): string => join(userFolder, 'n8n-program.json');

/** Makes a new folder one of another n8n. A folder stays with one version, because its database does. */
export async function assignN8n(userFolder: string, installed: InstalledN8n): Promise<void> {
	await mkdir(userFolder, { recursive: true });
	await writeFile(noteIn(userFolder), JSON.stringify(installed));
}

/** The n8n that a folder belongs to: {@link lockedN8n}, unless it was assigned to another. */
export function n8nOf(userFolder: string): InstalledN8n {
	const note = noteIn(userFolder);
	if (!existsSync(note)) return lockedN8n;
	const { node, program } = readObject(JSON.parse(readFileSync(note, 'utf8')), note);
	return { node: readText(node, 'node'), program: readText(program, 'program') };
}
