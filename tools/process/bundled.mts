import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { digestOfFiles } from '../files/digest.mts';
import { root } from '../files/paths.mts';

type Home = 'service' | 'sandbox';

/** Loaded only when needed, and not at every start. */
const EXTERNAL = ['pg', '@clack/prompts', 'oidc-provider', 'solc'];

/** Packages in CommonJS load the modules of Node.js by `require`. n8n's linter reads `service/dist`, too. */
const BANNER =
	"/* eslint-disable */ import * as nodeModule from 'node:module'; const require = nodeModule.createRequire(import.meta.url);";

/** Bundles of this process, by program: their sources do not change while it runs. */
const known = new Map<string, Promise<string>>();

/**
 * The file of a program of `service` or `sandbox` with nearly everything that it imports: loading it takes a fifth of the time
 * that 1,200 modules take. Written only when a source has changed.
 *
 * @param home the package whose dependencies the program has
 * @param entry the program, relative to the root of the repository
 */
export async function bundled(home: Home, entry: string): Promise<string> {
	const file = known.get(entry) ?? bundle(home, entry);
	known.set(entry, file);
	return await file;
}

async function bundle(home: Home, entry: string): Promise<string> {
	const digest = await digestOfFiles(root, [
		...['service/src/**', 'sandbox/src/**', 'pnpm-lock.yaml', 'service/package.json', entry],
		'nodes/WalletService/{contract,values}/**',
	]);
	// Below `node_modules`, where tools for sources do not look, and imports still find the packages of this home.
	const folder = join(root, home, 'node_modules/.cache');
	const name = basename(entry, '.mts');
	const file = join(folder, `${name}.${digest.slice(0, 16)}.mjs`);
	if (existsSync(file)) return file;
	for await (const old of glob(`${name}.*.mjs`, { cwd: folder })) await rm(join(folder, old));
	// Several programs may start at the same time; none may read a half-written file.
	const draft = join(folder, `${randomUUID()}.mjs`);
	await execa(
		'esbuild',
		[
			...[entry, `--outfile=${draft}`, `--banner:js=${BANNER}`, '--bundle', '--platform=node'],
			...['--format=esm', '--target=node24', '--log-level=error'],
			...EXTERNAL.map((pattern) => `--external:${pattern}`),
		],
		{ cwd: root, preferLocal: true, localDir: root },
	);
	await rename(draft, file);
	return file;
}
