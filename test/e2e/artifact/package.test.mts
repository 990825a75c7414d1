/** Checks the package as it would be published: its contents, n8n's scan, and that it is installed without other packages. */
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { readObject } from '../../../tools/files/json.mts';
import { packPackage, type PackedPackage } from '../../../tools/n8n/package.mts';
import { root } from '../../../tools/files/paths.mts';
import { useResources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';

const SCHEMAS = [
	...['balance/native', 'balance/token', 'contract/read', 'contract/write'],
	...['history/find', 'history/list', 'token/send', 'transaction/get', 'user/get'],
];

const resources = useResources();
let directory: string;
let packed: PackedPackage;

beforeAll(async () => {
	directory = (await resources.use(temporaryFolder('tarball'))).path;
	packed = await packPackage(directory);
});

test('npm would publish this tarball: the built node and its documents, and nothing else', async () => {
	const project = join(directory, 'project');
	// npm publishes nothing of these folders, and would read the packages for many seconds.
	const isLeftOut = (path: string) => ['node_modules', '.local', '.git'].includes(basename(path));
	await cp(root, project, { recursive: true, filter: (path) => !isLeftOut(path) });
	const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
	const { stdout } = await execa('npm', args, { cwd: project });
	const [{ files, integrity }] = JSON.parse(stdout);
	expect(files.map(({ path }: { path: string }) => path).sort()).toEqual([
		'LICENSE',
		'README.md',
		'dist/THIRD_PARTY_LICENSES.txt',
		'dist/credentials/WalletServiceApi.credentials.js',
		'dist/credentials/WalletServiceOAuth2Api.credentials.js',
		'dist/icons/wallet-service.dark.svg',
		'dist/icons/wallet-service.svg',
		'dist/nodes/WalletService/WalletService.node.js',
		'dist/nodes/WalletService/WalletService.node.json',
		'dist/nodes/WalletService/WalletServiceTrigger.node.js',
		'dist/nodes/WalletService/WalletServiceTrigger.node.json',
		...SCHEMAS.map((name) => `dist/nodes/WalletService/__schema__/v1.0.0/${name}.json`),
		'dist/nodes/WalletService/index.js',
		'package.json',
	]);
	const hash = createHash('sha512').update(await readFile(packed.tarball));
	expect(integrity).toBe(`sha512-${hash.digest('base64')}`);
});

test('the tarball is no larger than the documentation says', async () => {
	const compatibility = await readFile(join(root, 'docs', 'compatibility.md'), 'utf8');
	const [, kilobytes] = /at most (\d+) kB/.exec(compatibility) ?? [];
	const { size } = await stat(packed.tarball);
	expect(size).toBeLessThanOrEqual(Number(kilobytes) * 1000);
});

test('it depends on nothing but what n8n itself brings, and runs nothing when it is installed', async () => {
	const { stdout } = await execa('tar', ['-xzOf', packed.tarball, 'package/package.json']);
	const manifest = readObject(JSON.parse(stdout), 'the packed package.json');
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(manifest.peerDependenciesMeta).toEqual({ 'n8n-workflow': { optional: true } });
	for (const kind of ['dependencies', 'optionalDependencies', 'bundleDependencies', 'bin']) {
		expect(manifest).not.toHaveProperty(kind);
	}
	const scripts = Object.keys(readObject(manifest.scripts, 'the scripts'));
	expect(scripts.filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([]);
});

/** Runs the analyser of n8n's community package scan on files of a folder. */
async function scan(folder: string, ...patterns: string[]): Promise<unknown> {
	const scanner = join(import.meta.dirname, 'support', 'scan.mjs');
	// Under jest's NODE_ENV=test, the scanner's rules treat every file as a node, as the scanner's own tests require.
	const env = { NODE_ENV: 'production' };
	const { stdout } = await execa(process.execPath, [scanner, folder, ...patterns], { env });
	return JSON.parse(stdout);
}

// The scanner's own patterns for sources and for tarballs.
test('the sources and the packed tarball pass the scan of n8n', async () => {
	const sources = ['package.json', '{nodes,credentials}/**/*.{js,ts,json}'];
	expect(await scan(root, ...sources)).toEqual({ passed: true });
	await execa('tar', ['-xzf', packed.tarball, '-C', directory]);
	const unpacked = join(directory, 'package');
	expect(await scan(unpacked, '**/*.js', 'package.json')).toEqual({ passed: true });
});

test('npm installs it without a network, and no other package', async () => {
	const folder = join(directory, 'installed');
	await mkdir(folder);
	await writeFile(join(folder, 'package.json'), '{"private":true}');
	const flags = ['--offline', '--no-audit', '--no-fund'];
	await execa('npm', ['install', packed.tarball, ...flags], { cwd: folder });
	const installed = await readdir(join(folder, 'node_modules'));
	expect(installed.filter((name) => !name.startsWith('.'))).toEqual([packed.name]);
});
