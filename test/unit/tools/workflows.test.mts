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

const PACK = 'mkdir tarball && npm pack --ignore-scripts --pack-destination tarball';
const HASH = '$(sha512sum tarball/*.tgz)';

let yaml: string;
/** A job of the publishing workflow. */
const job = (name: string): string => blockOf(yaml, name, 2);

beforeAll(async () => {
	yaml = await readProjectFile('.github/workflows/publish.yml');
});

test('the publishing workflow has three jobs, and no permission for all', () => {
	const jobs = blockOf(yaml, 'jobs', 0).match(/^ {2}\S.*/gm);
	expect(jobs).toEqual(['  test:', '  build:', '  publish:']);
	expect(blockOf(yaml, 'permissions', 0)).toBe('permissions: {}');
});

test.each(['test', 'build'])('the job %s runs dependencies, and can only read', (name) => {
	expect(blockOf(job(name), 'permissions', 4)).toBe('    permissions:\n      contents: read');
	expect(valuesOf(job(name), 'run')).toEqual(expect.arrayContaining(['npm run build', PACK]));
	expect(valuesOf(job(name), 'persist-credentials')).toEqual(['false']);
	expect(job(name)).not.toContain('npm publish');
});

test('the tested package leaves its job only as a hash', () => {
	expect(job('test')).toContain('bash .ci/run');
	expect(job('test')).not.toContain('artifact');
	expect(valuesOf(job('test'), 'run').at(-1)).toBe(`echo "hash=${HASH}" >>"$GITHUB_OUTPUT"`);
});

test('the published package is built from a commit on main, without tests or cached files', () => {
	expect(valuesOf(job('build'), 'run')).toEqual([
		'git merge-base --is-ancestor "$GITHUB_SHA" origin/main',
		`test "$(node -p 'require("./package.json").version')" = "$GITHUB_REF_NAME"`,
		...['npm run build', PACK],
	]);
	expect(valuesOf(job('build'), 'package-manager-cache')).toEqual(['false']);
});

test('the job that can publish runs nothing of the project, waits for a reviewer, and compares', () => {
	const publish = job('publish');
	expect(blockOf(publish, 'permissions', 4)).toBe('    permissions:\n      id-token: write');
	expect(valuesOf(publish, 'needs')).toEqual(['[test, build]']);
	expect(valuesOf(publish, 'environment')).toEqual(['npm']);
	const actions = valuesOf(publish, 'uses').map((action) => action.split('@')[0]);
	expect(actions).toEqual(['actions/setup-node', 'actions/download-artifact']);
	expect(valuesOf(publish, 'TESTED')).toEqual(['${{ needs.test.outputs.hash }}']);
	expect(valuesOf(publish, 'run')).toEqual([
		`test "${HASH}" = "$TESTED"`,
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
