import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages that the project imports, and n8n's own. */
const packages = ['.', 'sandbox', 'tools'].flatMap((folder) => {
	const path = join(import.meta.dirname, folder, 'package.json');
	const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path));
	return Object.keys({ ...dependencies, ...devDependencies });
});

/** One jest project a suite; `test/run.mts` runs them and sums up. */
const suite = (name) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: '<rootDir>/tools/jest/environment.mts',
	modulePathIgnorePatterns: ['<rootDir>/.local/'],
	cacheDirectory: '<rootDir>/.local/jest',
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json', 'node'],
	transform: {
		[`/node_modules/(?:@n8n|${packages.join('|')})/.*\\.[cm]?js$`]:
			'<rootDir>/tools/jest/package.mts',
		'\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	transformIgnorePatterns: [],
});

export default {
	projects: ['unit', 'engine', 'service', 'e2e', 'slow', 'browser', 'queue', 'versions'].map(suite),
	testTimeout: 120_000,
};
