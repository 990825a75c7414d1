import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readJsonFile, readText } from '../files/json.mts';

const require = createRequire(import.meta.url);

/** Path of the command-line program of the locked n8n. */
export const n8nProgram = join(dirname(require.resolve('n8n/package.json')), 'bin', 'n8n');

/** An installed n8n and its Node.js. */
export interface InstalledN8n {
	/** Path of the Node.js executable. */
	node: string;
	/** Path of n8n's command-line program. */
	program: string;
}

/** The locked n8n, on this process's Node.js. */
export const lockedN8n: InstalledN8n = { node: process.execPath, program: n8nProgram };

const noteIn = (userFolder: string): string => join(userFolder, 'n8n-program.json');

/** Assigns a different n8n to a new folder. A folder keeps its n8n version, because of its database. */
export async function assignN8n(userFolder: string, installed: InstalledN8n): Promise<void> {
	await mkdir(userFolder, { recursive: true });
	await writeFile(noteIn(userFolder), JSON.stringify(installed));
}

/** The n8n of a folder: {@link lockedN8n}, unless a different one was assigned. */
export function n8nOf(userFolder: string): InstalledN8n {
	const note = noteIn(userFolder);
	if (!existsSync(note)) return lockedN8n;
	const { node, program } = readJsonFile(note);
	return { node: readText(node, 'node'), program: readText(program, 'program') };
}
