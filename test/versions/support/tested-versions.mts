/** The versions of n8n that are tested: installed on demand, and as the documentation lists them. */
import { readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { digestOfFiles, oncePerContent } from '../../../tools/files/digest.mts';
import { readJsonFile, readText } from '../../../tools/files/json.mts';
import { localState, root } from '../../../tools/files/paths.mts';
import type { InstalledN8n } from '../../../tools/n8n/program.mts';
import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { rowsOf, textOf } from '../../support/docs/markdown.mts';

/** One folder for each version, with its dependencies and their lockfile. */
const lockedVersions = join(root, 'test', 'versions', 'n8n');

/** The older n8n versions that can be installed, oldest first. */
export function olderVersions(): string[] {
	return readdirSync(lockedVersions).sort((one, other) =>
		one.localeCompare(other, 'en', { numeric: true }),
	);
}

/** Installs one of the {@link olderVersions} from the lockfile, unless already installed; it runs on this process's Node.js. */
export async function installN8n(version: string): Promise<InstalledN8n> {
	const folder = join(localState, 'n8n-versions', version);
	const locked = join(lockedVersions, version);
	await oncePerContent(join(folder, '.installed'), await digestOfFiles(locked, ['*']), async () => {
		await cp(locked, folder, { recursive: true });
		const { packageManager } = readJsonFile(join(root, 'package.json'));
		const manager = readText(packageManager, 'the package manager');
		await execa('npx', ['--yes', manager, 'install', '--frozen-lockfile'], { cwd: folder });
	});
	return { node: process.execPath, program: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Versions of an installed n8n and its Node.js, as both report them. */
export async function versionsOf({ node, program }: InstalledN8n): Promise<[string, string]> {
	const [n8n, runtime] = await Promise.all([
		execa(node, [program, '--version']),
		execa(node, ['--version']),
	]);
	return [n8n.stdout.trim(), runtime.stdout.trim().replace(/^v/, '')];
}

/** The results in `docs/compatibility.md` for each n8n version, in order: the cells by the heading of their column. */
export async function statedResults(): Promise<Map<string, Record<string, string>>> {
	const section = sectionOf(await readDocument('docs/compatibility.md'), 'n8n');
	const rows = rowsOf(section, 'Result').map((row) =>
		Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, textOf(cell)])),
	);
	return new Map(rows.map((row) => [row.n8n, row]));
}
