import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { digestOfFiles } from '../files/digest.mts';
import { oncePerContent } from '../files/once-per-content.mts';
import { localState, root } from '../files/paths.mts';

/** Everything the build reads. */
const SOURCES = [
	'nodes/**',
	'credentials/**',
	'icons/**',
	'package.json',
	'gulpfile.js',
	'tools/package/bundled-packages.mts',
	'tsconfig.json',
];

async function build(): Promise<void> {
	try {
		await promisify(execFile)('gulp', ['build'], { cwd: root });
	} catch (error) {
		const output =
			error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
		throw new Error(`The build failed:\n${output}`);
	}
}

/**
 * Builds the node into `dist/`, unless it was built from the same sources before.
 *
 * @returns whether it had to be built.
 * @throws Error with the build's output when it fails.
 */
export async function buildWhenChanged(): Promise<boolean> {
	const stamp = join(localState, 'built-digest');
	if (!existsSync(join(root, 'dist', 'nodes'))) await rm(stamp, { force: true });
	return await oncePerContent(stamp, await digestOfFiles(root, SOURCES), build);
}
