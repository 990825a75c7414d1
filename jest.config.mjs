import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Adds the folder of a package that is an ES module only, and those of the ones it uses: jest loads CommonJS.
 *
 * @param packages - The folder that the package is looked for in.
 * @param found - Real folders so far.
 */
function addEsModules(packages, name, found) {
	const link = join(packages, name);
	const folder = existsSync(link) ? realpathSync(link) : '';
	if (folder === '' || found.has(folder)) return;
	const {
		type,
		exports,
		dependencies = {},
	} = JSON.parse(readFileSync(join(folder, 'package.json')));
	if (type !== 'module' || JSON.stringify(exports ?? '').includes('"require"')) return;
	found.add(folder);
	for (const used of Object.keys(dependencies))
		addEsModules(folder.slice(0, -name.length), used, found);
}

const modules = realpathSync(join(import.meta.dirname, 'node_modules'));
const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json')));
const esModules = new Set();
for (const name of Object.keys(devDependencies)) addEsModules(modules, name, esModules);
const inPattern = (path) => path.replaceAll(/[.+$()]/g, '\\$&');
const ES_MODULES = `${inPattern(modules)}/(${[...esModules].map((folder) => inPattern(relative(modules, folder))).join('|')})`;

/** One jest project a suite; `test/run.mts` runs them and sums up. */
const suite = (name, options = {}) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: 'node',
	modulePathIgnorePatterns: ['<rootDir>/.local/'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json', 'node'],
	transform: {
		[`\\.m?ts$|${ES_MODULES}/.*\\.js$`]: [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	// It has an entry for imports alone, which CommonJS does not find.
	moduleNameMapper: {
		'^unicorn-magic$': '<rootDir>/node_modules/.pnpm/node_modules/unicorn-magic/node.js',
	},
	transformIgnorePatterns: [`^(?!${ES_MODULES}/).*/node_modules/`],
	...options,
});

export default {
	projects: ['unit', 'engine', 'service', 'e2e', 'browser', 'queue', 'versions'].map((name) =>
		suite(name),
	),
	testTimeout: 120_000,
};
