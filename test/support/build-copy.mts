import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readObject } from '../../tools/files/json.mts';
import { bundleReport, root } from '../../tools/files/paths.mts';

/** The inputs of the build, except packages. */
const SOURCES = [
	'nodes',
	'credentials',
	'icons',
	'tools/files',
	'tools/package',
	'gulpfile.js',
	'package.json',
	'tsconfig.json',
];

/** Links to the packages that the sources import. */
const IMPORTED = ['ethers', 'p-limit'].map((name) => `node_modules/${name}`);

/** Files that `npm pack` adds. */
const PACKED = ['README.md', 'LICENSE'];

/** Build tools: only their output matters, not their location. */
const TOOLS = ['gulp', 'esbuild'];

/** Folder in which pnpm stores one version of a package, with links to its dependencies. */
const STORED_PACKAGE = /^node_modules\/\.pnpm\/[^/]+/;

/** The folders of all packages that the latest build read. */
async function packagesRead(): Promise<string[]> {
	const report = readObject(JSON.parse(await readFile(bundleReport, 'utf8')), 'the build report');
	const files = Object.keys(readObject(report.inputs, 'the inputs'));
	return [...new Set(files.flatMap((file) => STORED_PACKAGE.exec(file) ?? []))];
}

async function copyAll(paths: readonly string[], target: string): Promise<void> {
	for (const path of paths) {
		await mkdir(dirname(join(target, path)), { recursive: true });
		await cp(join(root, path), join(target, path), { recursive: true, verbatimSymlinks: true });
	}
}

/** Copies the sources to another folder, with the installed packages, so that tests of `gulp watch` can change them. */
export async function copyForChanges(target: string): Promise<void> {
	await copyAll(SOURCES, target);
	await symlink(join(root, 'node_modules'), join(target, 'node_modules'));
}

/** Paths that `npm start` and `npm run dev` need besides the sources; with the build results, so that nothing is rebuilt. */
const STARTED = [
	...['tools', 'sandbox', 'service', 'examples', 'dist', 'pnpm-lock.yaml', ...PACKED],
	...['bundle.json', 'built-digest', 'contracts'].map((name) => `.local/${name}`),
];

/** Copies the project to another folder, where its commands may build: other tests use the original's build. */
export async function copyForCommands(target: string): Promise<void> {
	await copyAll(
		STARTED.filter((path) => existsSync(join(root, path))),
		target,
	);
	await copyForChanges(target);
}

/** Copies everything that goes into the bundle to another folder, so that it can be built there: `gulp bundle`. */
export async function copyForBuild(target: string): Promise<void> {
	const copied = [...SOURCES, ...PACKED, ...(await packagesRead()), ...IMPORTED];
	await copyAll(copied, target);
	for (const tool of TOOLS) {
		await symlink(join(root, 'node_modules', tool), join(target, 'node_modules', tool));
	}
}
