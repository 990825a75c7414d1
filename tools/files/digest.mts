import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** SHA-256 of the names and contents of the files in a directory that match the patterns. */
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

/** Does the work unless the stamp file already holds this digest. Returns whether the work was done. */
export async function oncePerContent(
	stamp: string,
	digest: string,
	work: () => Promise<void>,
): Promise<boolean> {
	if ((await readFile(stamp, 'utf8').catch(() => '')) === digest) return false;
	await work();
	await mkdir(dirname(stamp), { recursive: true });
	await writeFile(stamp, digest);
	return true;
}
