/** Programs that run from one file, which is written again when a source has changed. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { localState, root } from '../../../tools/files/paths.mts';

const NAME = 'bundled-for-test';
const entry = join('.local', `${NAME}.mts`);
const cache = join(root, 'service', 'node_modules', '.cache');
const launcher = join(root, 'tools', 'process', 'run-bundled.mts');

const bundles = async () => (await readdir(cache)).filter((file) => file.startsWith(`${NAME}.`));

/** Runs a program with this source. @returns its output */
async function run(source: string): Promise<string> {
	await mkdir(localState, { recursive: true });
	await writeFile(join(root, entry), source);
	const { stdout } = await execa(process.execPath, [launcher, 'service', entry, 'argument']);
	return stdout;
}

afterAll(async () => {
	for (const file of await bundles()) await rm(join(cache, file));
	await rm(join(root, entry), { force: true });
});

test('a changed program runs as changed, with its arguments, and leaves no older bundle', async () => {
	const source = "console.log('first', process.argv.slice(2).join());";
	expect(await run(source)).toBe('first argument');
	const [first] = await bundles();
	expect(await run(source)).toBe('first argument');
	expect(await bundles()).toEqual([first]);
	expect(await run(source.replace('first', 'second'))).toBe('second argument');
	expect(await bundles()).toHaveLength(1);
	expect(await bundles()).not.toEqual([first]);
});
