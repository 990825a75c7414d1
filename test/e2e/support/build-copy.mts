import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readObject } from '../../../workbench/src/json.mts';
import { bundleReport, root } from '../../../workbench/src/paths.mts';

/** What the build reads and `npm pack` adds. */
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'workbench/src',
	'gulpfile.js',
	'package.json',
	'tsconfig.json',
	'README.md',
	'LICENSE',
];

/** Build tools: only what they put out is looked at, not where they lie. */
const TOOLS = ['gulp', 'esbuild'];

/** Where the package manager keeps one version of a package, with links to what it depends on. */
const STORED_PACKAGE = /^node_modules\/\.pnpm\/[^/]+/;

/** The folders of all packages that the latest build read. */
async function packagesRead(): Promise<string[]> {
	const report = readObject(JSON.parse(await readFile(bundleReport, 'utf8')), 'the build report');
	const files = Object.keys(readObject(report.inputs, 'the inputs'));
	return [...new Set(files.flatMap((file) => STORED_PACKAGE.exec(file) ?? []))];
}

/** Copies everything that goes into the bundle to another folder, so that it can be built there: `gulp bundle`. */
export async function copyForBuild(target: string): Promise<void> {
	const copied = [...SOURCES, ...(await packagesRead()), 'node_modules/ethers'];
	for (const path of copied) {
		await mkdir(dirname(join(target, path)), { recursive: true });
		await cp(join(root, path), join(target, path), { recursive: true, verbatimSymlinks: true });
	}
	for (const tool of TOOLS) {
		await symlink(join(root, 'node_modules', tool), join(target, 'node_modules', tool));
	}
}
