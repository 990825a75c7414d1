/** The versions of n8n that are tested: installed on demand, and as the documentation lists them. */
import { readdirSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { digestOfFiles, oncePerContent } from '../../../tools/files/digest.mts';
import { readObject, readText } from '../../../tools/files/json.mts';
import { localState, root } from '../../../tools/files/paths.mts';
import type { InstalledN8n } from '../../../tools/n8n/program.mts';

/** One folder for each version, with its dependencies and their lockfile. */
const lockedVersions = join(root, 'test', 'versions', 'n8n');

/** The older n8n versions that can be installed, oldest first. */
export function olderVersions(): string[] {
	return readdirSync(lockedVersions).sort((one, other) =>
		one.localeCompare(other, 'en', { numeric: true }),
	);
}

/**
 * Installs an older n8n and its Node.js from the lockfile, unless already installed.
 *
 * @param version - One of {@link olderVersions}.
 */
export async function installN8n(version: string): Promise<InstalledN8n> {
	const folder = join(localState, 'n8n-versions', version);
	const locked = join(lockedVersions, version);
	await oncePerContent(join(folder, '.installed'), await digestOfFiles(locked, ['*']), async () => {
		await cp(locked, folder, { recursive: true });
		const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
		const manager = readText(readObject(manifest, 'package.json').packageManager, 'the manager');
		await execa('npx', ['--yes', manager, 'install', '--frozen-lockfile'], { cwd: folder });
	});
	return {
		node: join(folder, 'node_modules', 'node', 'bin', 'node'),
		program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n'),
	};
}

/** Versions of an installed n8n and its Node.js, as both report them. */
export async function versionsOf({ node, program }: InstalledN8n): Promise<[string, string]> {
	const [n8n, runtime] = await Promise.all([
		execa(node, [program, '--version']),
		execa(node, ['--version']),
	]);
	return [n8n.stdout.trim(), runtime.stdout.trim().replace(/^v/, '')];
}

/** One row of the documentation's table of test results. */
export interface StatedResult {
	/** Version of Node.js. */
	node: string;
	result: string;
	/** Whether tools of agents before version 3 are tested: `yes` or `no`. */
	tools: string;
	/** Credentials that n8n's HTTP Request node does not receive: `the access token` or `both credentials`. */
	kept: string;
}

/** A row that begins with a version: | n8n | Node.js | result | tools | kept | */
const ROW = /^\| (\d\S+) +\| (\S+) +\| (\S+) +\| (yes|no) +\| (.+?) +\|$/gm;

/** The results in `docs/compatibility.md` for each n8n version, in order. */
export async function statedResults(): Promise<Map<string, StatedResult>> {
	const page = await readFile(join(root, 'docs', 'compatibility.md'), 'utf8');
	const rows = [...page.matchAll(ROW)];
	return new Map(
		rows.map(([, n8n = '', node = '', result = '', tools = '', kept = '']) => [
			n8n,
			{ node, result, tools, kept },
		]),
	);
}
