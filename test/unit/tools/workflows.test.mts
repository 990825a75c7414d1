/** Permissions of the GitHub workflows: the job that can publish runs only npm, and actions pinned to a commit. */
import { projectFiles, readProjectFile } from '../../support/docs/documents.mts';

/** The lines of a YAML file, without comments, from a key with the given indentation to the end of its block. */
function blockOf(yaml: string, key: string, indent: number): string {
	const bare = yaml.replace(/(?:^|[ \t])#.*$/gm, '').replace(/^\s*\n/gm, '');
	const block = new RegExp(`^ {${indent}}${key}:.*(?:\\n {${indent + 1}}.*)*`, 'm');
	return block.exec(bare)?.[0] ?? '';
}

/** The values of a key, wherever it occurs. */
const valuesOf = (yaml: string, key: string): string[] =>
	[...yaml.matchAll(new RegExp(`^[ -]*${key}:(.*)$`, 'gm'))].map(([, value = '']) => value.trim());

let yaml: string;
let build: string;
let publish: string;

beforeAll(async () => {
	yaml = await readProjectFile('.github/workflows/publish.yml');
	[build, publish] = ['build', 'publish'].map((job) => blockOf(yaml, job, 2)) as [string, string];
});

test('the publishing workflow has two jobs, and no permission for both', () => {
	expect(blockOf(yaml, 'jobs', 0).match(/^ {2}\S.*/gm)).toEqual(['  build:', '  publish:']);
	expect(blockOf(yaml, 'permissions', 0)).toBe('permissions: {}');
});

test('the job that runs the dependencies can only read', () => {
	expect(blockOf(build, 'permissions', 4)).toBe('    permissions:\n      contents: read');
	for (const command of ['bash .ci/run', 'npm run build', 'npm pack'])
		expect(build).toContain(command);
	expect(valuesOf(build, 'persist-credentials')).toEqual(['false']);
	expect(build).not.toContain('npm publish');
});

test('the job that can publish runs nothing of the project, and waits for a reviewer', () => {
	expect(blockOf(publish, 'permissions', 4)).toBe('    permissions:\n      id-token: write');
	expect(valuesOf(publish, 'needs')).toEqual(['build']);
	expect(valuesOf(publish, 'environment')).toEqual(['npm']);
	const actions = valuesOf(publish, 'uses').map((action) => action.split('@')[0]);
	expect(actions).toEqual(['actions/setup-node', 'actions/download-artifact']);
	expect(valuesOf(publish, 'run')).toEqual([
		'npm publish ./tarball/*.tgz --ignore-scripts --provenance --access public',
	]);
	expect(valuesOf(publish, 'package-manager-cache')).toEqual(['false']);
});

test('every action is pinned to a commit, and its release is named', async () => {
	const paths = await projectFiles('.github/workflows/*.yml');
	const yaml = await Promise.all(paths.map(readProjectFile));
	const actions = yaml.flatMap((text) => valuesOf(text, 'uses'));
	expect(actions.length).toBeGreaterThan(5);
	for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('the package manager is pinned by its hash', async () => {
	const { packageManager } = JSON.parse(await readProjectFile('package.json'));
	expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+\+sha512\.[0-9a-f]{128}$/);
});
