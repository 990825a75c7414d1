import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { BundledPackage } from './bundled-packages.mts';
import { readObject, readText } from '../files/json.mts';

/** What the package registry knows about some packages. */
export type Advisories =
	| { checked: true; vulnerable: string[] }
	/** The registry gave no answer; nothing is known then. */
	| { checked: false; reason: string };

/** A lockfile with exactly these packages, under names of their own, because a package may be there in two versions. */
async function writeLockfile(directory: string, packages: BundledPackage[]): Promise<void> {
	const entries = packages.map(({ name, version }, index) => ({
		alias: `bundled-${index}`,
		name,
		version,
	}));
	const dependencies = Object.fromEntries(
		entries.map(({ alias, name, version }) => [alias, `npm:${name}@${version}`]),
	);
	const locked = entries.map(({ alias, ...entry }) => [`node_modules/${alias}`, entry]);
	const manifest = { name: 'shipped', version: '0.0.0', dependencies };
	const lockfile = {
		...manifest,
		lockfileVersion: 3,
		packages: { '': manifest, ...Object.fromEntries(locked) },
	};
	await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
	await writeFile(join(directory, 'package-lock.json'), JSON.stringify(lockfile));
}

/** Reads what `npm audit --json` prints: a report, or why there is none. */
function readReport(printed: string): Advisories {
	const report = readObject(JSON.parse(printed), "npm's report");
	if (report.vulnerabilities === undefined) {
		return { checked: false, reason: readText(report.message, 'the reason') };
	}
	const found = Object.values(readObject(report.vulnerabilities, 'the vulnerabilities'));
	return { checked: true, vulnerable: found.map((one) => JSON.stringify(one)) };
}

/**
 * Asks the package registry, through npm, for advisories on exactly these versions.
 *
 * @param registry - Another registry than the one npm is set to.
 */
export async function advisoriesFor(
	packages: BundledPackage[],
	registry?: string,
): Promise<Advisories> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-audit-'));
	await writeLockfile(folder.path, packages);
	const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=0'];
	if (registry !== undefined) args.push(`--registry=${registry}`);
	// npm ends with 1 both for a vulnerability and for a failure; only its report tells them apart.
	const { stdout } = await execa('npm', args, { cwd: folder.path, reject: false });
	return readReport(stdout);
}
