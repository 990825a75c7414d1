/** `tools/install.mjs`, run with a fake package manager, prints one line if it succeeds and everything if it fails. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { readJsonFile, readObject } from '../../../tools/files/json.mts';
import { root } from '../../../tools/files/paths.mts';
import { projectFiles, readProjectFile } from '../../support/docs/documents.mts';

let project: string;

async function replace(name: 'npx' | 'npm', script: string): Promise<void> {
	await writeFile(join(project, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs the installation with a script in place of `npx`, which would install two thousand packages. */
async function installWith(script: string): Promise<{ status: number; stderr: string }> {
	await replace('npx', script);
	const env = { PATH: [join(project, 'bin'), process.env.PATH].join(delimiter) };
	const program = join(project, 'tools', 'install.mjs');
	const settings = { env, reject: false, all: true, stripFinalNewline: false } as const;
	const { exitCode = -1, all } = await execa(process.execPath, [program], settings);
	return { status: exitCode, stderr: all };
}

/** Replaces `npm` with a script that prints a hash of the package manager. */
const registryWith = async (integrity: string) =>
	await replace('npm', `echo 'npm warn something' >&2\necho '${integrity}'`);

/** Hash of pnpm 10.34.9, as stated by npm's registry. */
const INTEGRITY =
	'sha512-9JtajqD97bRLs8DB1ldQkqU8KVDZW3rRXfEfF5dId6LeOgHAfpNOmyjOcW5RwJqUlixzBtCb4uHksYqMh2L9Mg==';

beforeEach(async () => {
	project = await mkdtemp(join(tmpdir(), 'wallet-service-install-'));
	for (const folder of ['tools', 'bin', 'node_modules']) await mkdir(join(project, folder));
	const programs = ['install.mjs', 'ancestors.cjs', 'end-with-parent.cjs'];
	const copied = ['package.json', 'pnpm-lock.yaml', ...programs.map((name) => `tools/${name}`)];
	for (const file of copied) await copyFile(join(root, file), join(project, file));
	await registryWith(INTEGRITY);
});
afterEach(async () => await rm(project, { recursive: true }));

/** Creates the last files that pnpm writes, whether it runs alone or from `tools/install.mjs`. */
const INSTALLS = `mkdir -p node_modules/.pnpm
cp pnpm-lock.yaml node_modules/.pnpm/lock.yaml
echo '{}' > node_modules/.pnpm-workspace-state-v1.json`;

const SAYS = `echo 'Progress: resolved 2, reused 2, downloaded 0, added 1'
echo 'npm warn deprecated something@1' >&2
echo 'Ignored build scripts: something'`;

test('an installation prints one line, without the warnings of the package manager', async () => {
	const { status, stderr } = await installWith(SAYS);
	expect(stderr).toBe(
		'Installing dependencies, which takes about two minutes the first time ... done\n',
	);
	expect(status).toBe(0);
});

test('a package manager with another hash is not run', async () => {
	await registryWith(INTEGRITY.replace('9J', '9K'));
	const { status, stderr } = await installWith(INSTALLS);
	expect(status).toBe(1);
	expect(stderr).toContain('pnpm@10.34.9 of the registry does not have the hash');
	await registryWith(INTEGRITY);
	expect((await installWith('echo run')).stderr).toContain('done');
});

test('existing dependencies are not installed again, whoever installed them', async () => {
	await installWith(INSTALLS);
	expect(await installWith('exit 1')).toEqual({ status: 0, stderr: '' });
});

test.each([
	['another lockfile', 'echo >> node_modules/.pnpm/lock.yaml'],
	['an interrupted installation', 'rm node_modules/.pnpm-workspace-state-v1.json'],
	['a later interrupted one', 'touch -t 209901010000 node_modules/.pnpm/lock.yaml'],
])('after %s, the dependencies are installed again', async (_case, change) => {
	await installWith(`${INSTALLS}\n${change}`);
	expect((await installWith(SAYS)).stderr).toContain('done');
});

test('a failed installation shows everything that was printed, and is tried again', async () => {
	const { status, stderr } = await installWith(`${SAYS}\nexit 3`);
	expect(status).toBe(3);
	for (const line of ['npm warn deprecated something@1', 'Ignored build scripts: something']) {
		expect(stderr).toContain(line);
	}
	expect(stderr).toContain('The dependencies could not be installed; see above for the reason.');
	expect((await installWith(SAYS)).stderr).toContain('done');
});

const nodePackages = (): Record<string, unknown> => {
	const { optionalDependencies } = readJsonFile(join(root, 'tools', 'package.json'));
	return readObject(optionalDependencies, 'the optional dependencies');
};

test('a command runs on the installed Node.js', async () => {
	const system = process.platform === 'win32' ? 'win' : process.platform;
	const name = Object.keys(nodePackages()).find((one) =>
		one.endsWith(`-${system}-${process.arch}`),
	);
	const folder = join(project, 'tools', 'node_modules', name ?? '', 'bin');
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'node'), '#!/bin/sh\necho own', { mode: 0o755 });
	await installWith(INSTALLS);
	const program = join(project, 'tools', 'install.mjs');
	expect((await execa(process.execPath, [program, 'node'])).stdout).toBe('own');
});

test('the lockfile has the hash of the Node.js of every system, and no script fetches one', async () => {
	const lockfile = await readProjectFile('pnpm-lock.yaml');
	for (const system of ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win-x64']) {
		const [name, version] =
			Object.entries(nodePackages()).find(([one]) => one.endsWith(`-${system}`)) ?? [];
		const entry = `\n  ${name}@${String(version)}:\n    resolution: {integrity: sha512-`;
		expect(lockfile).toContain(entry);
	}
	const lockfiles = await projectFiles('test/versions/n8n/*/pnpm-lock.yaml');
	for (const content of [lockfile, ...(await Promise.all(lockfiles.map(readProjectFile)))])
		expect(content).not.toMatch(/^ {2}node(-bin-setup)?@/m);
});
