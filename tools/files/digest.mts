import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** SHA-256 of names and contents of the files in a directory that match the patterns. */
export async function digestOfFiles(directory: string, patterns: string[]): Promise<string> {
	const names: string[] = [];
	for await (const entry of glob(patterns, { cwd: directory, withFileTypes: true })) {
		if (entry.isFile()) names.push(join(entry.parentPath, entry.name));
	}
	const hash = createHash('sha256');
	for (const name of names.sort()) hash.update(name).update(await readFile(name));
	return hash.digest('hex');
}

export const digestOfText = (text: string): string =>
	createHash('sha256').update(text).digest('hex');
