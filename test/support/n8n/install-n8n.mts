import { readdirSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { digestOfFiles, oncePerContent } from '../../../tools/files/digest.mts';
import { readObject, readText } from '../../../tools/files/json.mts';
import type { InstalledN8n } from '../../../tools/n8n/program.mts';
import { localState, root } from '../../../tools/files/paths.mts';

/** One folder for each version: what to install, locked. */
const lockedVersions = join(root, 'test', 'versions', 'n8n');

/** The older n8n versions that can be installed, oldest first. */
export function olderVersions(): string[] {
	return readdirSync(lockedVersions).sort((one, other) =>
		one.localeCompare(other, 'en', { numeric: true }),
	);
}

/**
 * Installs an older n8n and its Node.js by its lockfile, unless already installed.
 *
 * @param version - One of {@link olderVersions}.
 */
export async function installN8n(version: string): Promise<InstalledN8n> {
	const folder = join(localState, 'n8n-versions', version);
	const locked = join(lockedVersions, version);
	await oncePerContent(join(folder, '.installed'), await digestOfFiles(locked, ['*']), async () => {
		await cp(locked, folder, { recursive: true });
		const manifest = readObject(
			JSON.parse(await readFile(join(root, 'package.json'), 'utf8')),
			'package.json',
		);
		const packageManager = readText(manifest.packageManager, 'the package manager');
		await execa('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], { cwd: folder });
	});
	return {
		node: join(folder, 'node_modules', 'node', 'bin', 'node'),
		program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

/** The versions of an n8n and of the Node.js that it runs on, as they report them. */
export async function versionsOf({ node, program }: InstalledN8n): Promise<[string, string]> {
	const [n8n, runtime] = await Promise.all([
		execa(node, [program, '--version']),
		execa(node, ['--version']),
	]);
	return [n8n.stdout.trim(), runtime.stdout.trim().replace(/^v/, '')];
}
