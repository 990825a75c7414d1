/** Third-party code in the package: its origin, its licences, and known vulnerabilities. */
import { glob, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { bundleReport, root } from '../../../tools/files/paths.mts';
import { startLocalServer } from '../../../tools/network/local-server.mts';
import { advisoriesFor } from '../../../tools/package/advisories.mts';
import { bundledPackages } from '../../../tools/package/bundled-packages.mts';

const dist = join(root, 'dist');

/** esbuild writes the path of each file above its part of the bundle. */
const ORIGIN = /^\/\/ .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm;

let notice: string;
let bundled: ReturnType<typeof bundledPackages>;

beforeAll(async () => {
	notice = await readFile(join(dist, 'THIRD_PARTY_LICENSES.txt'), 'utf8');
	bundled = bundledPackages(JSON.parse(await readFile(bundleReport, 'utf8')), root);
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
	expect(bundled.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([
		...['@noble/hashes: MIT', 'ethers: MIT', 'p-limit: MIT', 'yocto-queue: MIT'],
	]);
	const titles = [...notice.matchAll(/^=+\n(.+)\n=+$/gm)].map(([, title]) => title);
	expect(titles).toEqual(
		bundled.map(({ name, version, licence }) => `${name} ${version} (${licence})`),
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

describe('advisories', () => {
	let asked: unknown;

	/** Checks the bundled packages against a registry that returns this answer. */
	async function audit(status: number, answer: object) {
		await using server = await startLocalServer(async (request, response) => {
			const body = await buffer(request);
			if (request.url !== '/-/npm/v1/security/advisories/bulk') {
				return response.writeHead(404).end();
			}
			asked = JSON.parse(String(gunzipSync(body)));
			const headers = { 'content-type': 'application/json' };
			return response.writeHead(status, headers).end(JSON.stringify(answer));
		});
		return await advisoriesFor(bundled, `${server.url}/`);
	}

	test('the registry is asked about exactly the bundled packages', async () => {
		expect(await audit(200, {})).toEqual({ checked: true, vulnerable: [] });
		expect(asked).toEqual({
			'@noble/hashes': [expect.stringMatching(/^\d+\.\d+\.\d+$/)],
			ethers: [expect.stringMatching(/^6\.\d+\.\d+$/)],
			'p-limit': [expect.stringMatching(/^7\.\d+\.\d+$/)],
			'yocto-queue': [expect.stringMatching(/^1\.\d+\.\d+$/)],
		});
	});

	test('an advisory is reported', async () => {
		const title = 'An example of an advisory';
		const where = { id: 1, url: 'https://example.com/advisory', vulnerable_versions: '<7.0.0' };
		expect(await audit(200, { ethers: [{ ...where, title, severity: 'high' }] })).toEqual({
			checked: true,
			vulnerable: [expect.stringContaining(title)],
		});
	});

	test('a registry without advisories proves nothing', async () => {
		expect(await audit(405, {})).toEqual({
			checked: false,
			reason: expect.stringContaining('405'),
		});
	});
});
