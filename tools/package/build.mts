import { rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { digestOfFiles, oncePerContent } from '../files/digest.mts';
import { localState, root } from '../files/paths.mts';

/** All sources of the build. */
const SOURCES = [
	'nodes/**',
	'credentials/**',
	'icons/**',
	'package.json',
	'gulpfile.js',
	'tools/package/bundled-packages.mts',
	'tsconfig.json',
];

/**
 * Builds the node into `dist/`, unless it was already built from the same sources. Returns whether this call built it.
 *
 * @throws Error with the build's output if it fails.
 */
export async function buildWhenChanged(): Promise<boolean> {
	const stamp = join(localState, 'built-digest');
	if (!existsSync(join(root, 'dist', 'nodes'))) await rm(stamp, { force: true });
	return await oncePerContent(stamp, await digestOfFiles(root, SOURCES), async () => {
		await execa('gulp', ['build'], { cwd: root });
	});
}
