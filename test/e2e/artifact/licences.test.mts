/** Third-party code that ships with the package: known, and with its licence. */
import { glob, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { bundledPackages } from '../../../tools/package/bundled-packages.mts';
import { bundleReport, root } from '../../../tools/files/paths.mts';

const dist = join(root, 'dist');

/** esbuild writes the path of each file above its part of the bundle. */
const ORIGIN = /^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm;

let notice: string;

beforeAll(async () => {
	notice = await readFile(join(dist, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
});

const licenceOf = async (directory: string, file: string): Promise<string> =>
	(await readFile(join(directory, file), 'utf8')).trim();

test('parts of four packages are bundled, and nothing else', async () => {
	const found = new Set<string>();
	for await (const file of glob('**/*.js', { cwd: dist })) {
		const code = await readFile(join(dist, file), 'utf8');
		for (const [, name] of code.matchAll(ORIGIN)) found.add(String(name));
	}
	expect([...found].sort()).toEqual(['@noble/hashes', 'ethers', 'p-limit', 'yocto-queue']);
});

test('the notice names exactly what the build report lists, with versions', async () => {
	const report: unknown = JSON.parse(await readFile(bundleReport, 'utf8'));
	const listed = bundledPackages(report, root);
	expect(listed.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([
		...['@noble/hashes: MIT', 'ethers: MIT', 'p-limit: MIT', 'yocto-queue: MIT'],
	]);
	const titles = [...notice.matchAll(/^=+\n(.+)\n=+$/gm)].map(([, title]) => title);
	expect(titles).toEqual(
		listed.map(({ name, version, licence }) => `${name} ${version} (${licence})`),
	);
});

test('the notice contains each licence word for word', async () => {
	const ethers = await realpath(join(root, 'node_modules', 'ethers'));
	const hashes = join(dirname(ethers), '@noble', 'hashes');
	expect(notice).toContain(await licenceOf(ethers, 'LICENSE.md'));
	expect(notice).toContain(await licenceOf(hashes, 'LICENSE'));
	const limit = await realpath(join(root, 'node_modules', 'p-limit'));
	expect(notice).toContain(await licenceOf(limit, 'license'));
	expect(notice).toContain(await licenceOf(join(dirname(limit), 'yocto-queue'), 'license'));
});

test('a package without a licence file cannot be bundled unnoticed', () => {
	const inputs = { 'node_modules/typebox-without-licence/index.js': { bytesInOutput: 1 } };
	expect(() => bundledPackages({ outputs: { 'dist/a.js': { inputs } } }, root)).toThrow();
});
