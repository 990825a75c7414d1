import { cp, mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { digestOfFiles, oncePerContent } from '../files/digest.mts';
import { readJsonFile, readText } from '../files/json.mts';
import { root } from '../files/paths.mts';

/** A packed npm package. */
export interface PackedPackage {
	name: string;
	version: string;
	tarball: string;
}

/** Everything that is published. */
const PUBLISHED = ['dist', 'package.json', 'README.md', 'LICENSE'];

/** Packs a built package for publishing: the one in `source`, by default this package. */
export async function packPackage(directory: string, source = root): Promise<PackedPackage> {
	// npm would read all installed packages, in search of some to bundle, for many seconds.
	await using copy = await mkdtempDisposable(join(tmpdir(), 'wallet-service-pack-'));
	for (const name of PUBLISHED) {
		await cp(join(source, name), join(copy.path, name), { recursive: true });
	}
	const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', directory];
	const { stdout } = await execa('npm', args, { cwd: copy.path });
	const { name, version } = readJsonFile(join(source, 'package.json'));
	return {
		name: readText(name, 'the package name'),
		version: readText(version, 'the package version'),
		tarball: join(directory, stdout.trim()),
	};
}

async function unpack(tarball: string, directory: string): Promise<void> {
	await mkdir(directory, { recursive: true });
	await execa('tar', ['-xzf', tarball, '-C', directory, '--strip-components=1']);
}

/** Packs the same content with a different version number, next to the packed package. */
export async function packVersion(packed: PackedPackage, version: string): Promise<PackedPackage> {
	const directory = dirname(packed.tarball);
	const copy = join(directory, version);
	await unpack(packed.tarball, copy);
	const file = join(copy, 'package.json');
	await writeFile(file, JSON.stringify({ ...readJsonFile(file), version }, null, 2));
	return await packPackage(directory, copy);
}

/** n8n's folder for a community package. */
export const packageFolderOf = (userFolder: string, name: string): string =>
	join(userFolder, '.n8n', 'nodes', 'node_modules', name);

/**
 * Installs a packed package as a community package, following the steps of n8n's own installer (`downloadPackage` of its
 * community packages service): unpack, drop development and peer dependencies, install the rest without scripts, add the
 * package to the folder's `package.json`. Without a licence, n8n's installer supports the public registry only; this
 * function uses the tarball, and npm remains offline.
 */
export async function unpackIntoN8n(userFolder: string, packed: PackedPackage): Promise<void> {
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const packageFolder = packageFolderOf(userFolder, packed.name);
	await rm(packageFolder, { recursive: true, force: true });
	await unpack(packed.tarball, packageFolder);
	const manifestFile = join(packageFolder, 'package.json');
	const manifest = readJsonFile(manifestFile);
	for (const kind of ['devDependencies', 'peerDependencies', 'optionalDependencies']) {
		Reflect.deleteProperty(manifest, kind);
	}
	await writeFile(manifestFile, JSON.stringify(manifest, null, 2));
	const flags = ['--audit=false', '--fund=false', '--bin-links=false', '--package-lock=false'];
	const install = ['install', '--install-strategy=shallow', '--ignore-scripts', '--offline'];
	await execa('npm', [...install, ...flags], { cwd: packageFolder });
	const installed = { [packed.name]: packed.version };
	const ledger = { name: 'installed-nodes', private: true, dependencies: installed };
	await writeFile(join(nodesFolder, 'package.json'), JSON.stringify(ledger, null, 2));
}

/** Packs the built package and installs it into an n8n folder. Returns undefined if this content is already installed. */
export async function installPackage(userFolder: string): Promise<PackedPackage | undefined> {
	const stamp = join(userFolder, '.n8n', 'nodes', '.installed-digest');
	let installed: PackedPackage | undefined;
	await oncePerContent(stamp, await digestOfFiles(root, [...PUBLISHED, 'dist/**']), async () => {
		await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-package-'));
		installed = await packPackage(folder.path);
		await unpackIntoN8n(userFolder, installed);
	});
	return installed;
}
