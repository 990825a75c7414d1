/**
 * Building the same sources always produces the same bytes, as a second build shows here: in a different folder, at a
 * different time and in a different locale.
 */
import { glob, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { packPackage } from '../../../tools/n8n/package.mts';
import { root } from '../../../tools/files/paths.mts';
import { copyForBuild } from '../../support/build-copy.mts';
import { useResources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';

const resources = useResources();
let directory: string;
let elsewhere: string;

beforeAll(async () => {
	directory = (await resources.use(temporaryFolder('rebuild'))).path;
	elsewhere = join(directory, 'another', 'place');
	await copyForBuild(elsewhere);
	const env = { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', NODE_ENV: '' };
	await execa('gulp', ['bundle'], { cwd: elsewhere, env });
});

/** Every file of a build with its content. */
async function contentOf(source: string): Promise<Record<string, string>> {
	const dist = join(source, 'dist');
	const content: Record<string, string> = {};
	for await (const entry of glob('**/*', { cwd: dist, withFileTypes: true })) {
		if (!entry.isFile()) continue;
		const file = join(entry.parentPath, entry.name);
		content[file.slice(dist.length)] = await readFile(file, 'base64');
	}
	return content;
}

test('every file of the second build is the same', async () => {
	const [first, second] = await Promise.all([contentOf(root), contentOf(elsewhere)]);
	expect(Object.keys(first)).toContain('/nodes/WalletService/WalletService.node.js');
	expect(Object.keys(second).sort()).toEqual(Object.keys(first).sort());
	expect(Object.keys(first).filter((name) => first[name] !== second[name])).toEqual([]);
});

test('the packed package is the same, byte for byte', async () => {
	const [first, second] = [join(directory, 'first'), join(directory, 'second')];
	await Promise.all([mkdir(first), mkdir(second)]);
	const [here, there] = await Promise.all([packPackage(first), packPackage(second, elsewhere)]);
	expect((await readFile(there.tarball)).equals(await readFile(here.tarball))).toBe(true);
});
