/** The analyser of n8n's community package scan, run on the sources and on the package to be published. */
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../../../tools/files/paths.mts';
import { packPackage } from '../../../tools/n8n/package.mts';
import { useResources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';

const scanner = join(import.meta.dirname, 'support', 'scan.mjs');

async function scan(folder: string, ...patterns: string[]): Promise<unknown> {
	// With jest's NODE_ENV=test the scanner's rules treat every file as a node, for their own tests.
	const env = { NODE_ENV: 'production' };
	const { stdout } = await execa(process.execPath, [scanner, folder, ...patterns], { env });
	return JSON.parse(stdout);
}

const resources = useResources();
let directory: string;

beforeAll(async () => {
	directory = (await resources.use(temporaryFolder('scan'))).path;
});

// The patterns are the scanner's own for the two places.
test('the sources pass', async () => {
	expect(await scan(root, 'package.json', '{nodes,credentials}/**/*.{js,ts,json}')).toEqual({
		passed: true,
	});
});

test('the packed tarball passes', async () => {
	const { tarball } = await packPackage(directory);
	await execa('tar', ['-xzf', tarball, '-C', directory]);
	expect(await scan(join(directory, 'package'), '**/*.js', 'package.json')).toEqual({
		passed: true,
	});
});
