/** The package as it would be published: what is in it, and that n8n loads it when nothing else is there. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readList, readObject } from '../../workbench/src/json.mts';
import { n8nCommand } from '../../workbench/src/n8n/cli.mts';
import { packPackage, type PackedPackage } from '../../workbench/src/n8n/package.mts';

const run = promisify(execFile);

let directory: string;
let packed: PackedPackage;

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'wallet-service-tarball-'));
	packed = await packPackage(directory);
});
afterAll(async () => await rm(directory, { recursive: true, force: true }));

test('the tarball holds the built node and its papers, nothing else', async () => {
	const { stdout } = await run('tar', ['-tzf', packed.tarball]);
	const files = stdout.trim().split('\n');
	expect(files).toEqual(
		expect.arrayContaining([
			'package/package.json',
			'package/LICENSE',
			'package/dist/nodes/WalletService/WalletService.node.js',
			'package/dist/nodes/WalletService/WalletService.node.json',
			'package/dist/credentials/WalletServiceApi.credentials.js',
			'package/dist/icons/wallet-service.svg',
			'package/dist/icons/wallet-service.dark.svg',
		]),
	);
	const allowed = /^package\/(dist\/.*\.(js|json|svg|txt)|package\.json|LICENSE|README\.md)$/;
	expect(files.filter((file) => !allowed.test(file))).toEqual([]);
});

describe('installed alone, with npm and no network', () => {
	let userFolder: string;
	let nodesFolder: string;

	beforeAll(async () => {
		userFolder = join(directory, 'n8n');
		nodesFolder = join(userFolder, '.n8n', 'nodes');
		await mkdir(nodesFolder, { recursive: true });
		await writeFile(join(nodesFolder, 'package.json'), '{"name":"installed-nodes","private":true}');
		// n8n itself provides the one peer dependency.
		const flags = ['--offline', '--legacy-peer-deps', '--no-audit', '--no-fund'];
		await run('npm', ['install', packed.tarball, ...flags], { cwd: nodesFolder });
	});

	test('it brings no other package along', async () => {
		const installed = await readdir(join(nodesFolder, 'node_modules'));
		expect(installed.filter((name) => !name.startsWith('.'))).toEqual([packed.name]);
	});

	test('n8n lists the node, its use as a tool, the trigger, and their credential', async () => {
		const output = join(directory, 'nodes.json');
		const { exitCode } = await n8nCommand(userFolder, ['export:nodes', `--output=${output}`]);
		expect(exitCode).toBe(0);
		const all = readList(JSON.parse(await readFile(output, 'utf8')), 'the exported nodes');
		const own = all
			.map((node) => readObject(node, 'a node'))
			.filter(({ name }) => String(name).startsWith(packed.name));
		expect(own.map(({ name }) => name).sort()).toEqual([
			`${packed.name}.walletService`,
			`${packed.name}.walletServiceTool`,
			`${packed.name}.walletServiceTrigger`,
		]);
		for (const { credentials } of own) {
			expect(credentials).toContainEqual(expect.objectContaining({ name: 'walletServiceApi' }));
		}
	});
});
