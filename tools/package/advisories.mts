import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import type { BundledPackage } from './bundled-packages.mts';
import { readObject, readText } from '../files/json.mts';

/** Known vulnerabilities of packages. */
export type Advisories =
	| { checked: true; vulnerable: string[] }
	/** The registry did not answer. */
	| { checked: false; reason: string };

/** Writes a lockfile with exactly these packages, under aliases because they may include two versions of a package. */
async function writeLockfile(directory: string, packages: BundledPackage[]): Promise<void> {
	const dependencies: Record<string, string> = {};
	const locked: Record<string, object> = {};
	for (const [index, { name, version }] of packages.entries()) {
		dependencies[`bundled-${index}`] = `npm:${name}@${version}`;
		locked[`node_modules/bundled-${index}`] = { name, version };
	}
	const manifest = { name: 'shipped', version: '0.0.0', dependencies };
	const lockfile = { ...manifest, lockfileVersion: 3, packages: { '': manifest, ...locked } };
	await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
	await writeFile(join(directory, 'package-lock.json'), JSON.stringify(lockfile));
}

/** Reads the output of `npm audit --json`: a report, or the reason why there is none. */
function readReport(printed: string): Advisories {
	const report = readObject(JSON.parse(printed), "npm's report");
	if (report.vulnerabilities === undefined) {
		return { checked: false, reason: readText(report.message, 'the reason') };
	}
	const found = Object.values(readObject(report.vulnerabilities, 'the vulnerabilities'));
	return { checked: true, vulnerable: found.map((one) => JSON.stringify(one)) };
}

/** Queries a registry, by default npm's own, for advisories on exactly these versions. */
export async function advisoriesFor(
	packages: BundledPackage[],
	registry?: string,
): Promise<Advisories> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-audit-'));
	await writeLockfile(folder.path, packages);
	const args = ['audit', '--json', '--package-lock-only', '--fetch-retries=0'];
	if (registry !== undefined) args.push(`--registry=${registry}`);
	// npm exits with 1 both for a vulnerability and for a failure; only its report distinguishes them.
	const { stdout } = await execa('npm', args, { cwd: folder.path, reject: false });
	return readReport(stdout);
}
