/** The queries to the package registry about the bundled packages, and the interpretation of its answers. */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { startLocalServer, type LocalServer } from '../../../tools/network/local-server.mts';
import { advisoriesFor } from '../../../tools/package/advisories.mts';
import { bundledPackages } from '../../../tools/package/bundled-packages.mts';
import { bundleReport, root } from '../../../tools/files/paths.mts';

const BULK = '/-/npm/v1/security/advisories/bulk';

let server: LocalServer;
let asked: unknown;
let status: number;
let answer: object;

beforeAll(async () => {
	server = await startLocalServer(async (request, response) => {
		const body = await buffer(request);
		if (request.url !== BULK) return response.writeHead(404).end();
		asked = JSON.parse(String(gunzipSync(body)));
		return response
			.writeHead(status, { 'content-type': 'application/json' })
			.end(JSON.stringify(answer));
	});
});
afterAll(async () => await server.stop());

async function audit() {
	const report: unknown = JSON.parse(await readFile(bundleReport, 'utf8'));
	return await advisoriesFor(bundledPackages(report, root), `${server.url}/`);
}

test('the registry is asked about exactly the bundled packages', async () => {
	[status, answer] = [200, {}];
	expect(await audit()).toEqual({ checked: true, vulnerable: [] });
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
	[status, answer] = [200, { ethers: [{ ...where, title, severity: 'high' }] }];
	expect(await audit()).toEqual({ checked: true, vulnerable: [expect.stringContaining(title)] });
});

test('a registry without advisories proves nothing', async () => {
	[status, answer] = [405, {}];
	expect(await audit()).toEqual({ checked: false, reason: expect.stringContaining('405') });
});
