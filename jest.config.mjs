import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the packages that the project imports; n8n's own are added below. */
const packages = ['.', 'sandbox', 'service', 'tools'].flatMap((folder) => {
	const path = join(import.meta.dirname, folder, 'package.json');
	const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path));
	return Object.keys({ ...dependencies, ...devDependencies });
});

/** One jest project per suite; `test/run.mts` runs them and adds up their results. */
const suite = (name) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: '<rootDir>/tools/jest/environment.mts',
	resolver: '<rootDir>/tools/jest/resolver.mts',
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
	projects: ['unit', 'engine', 'service', 'wallet', 'e2e', 'slow', 'browser', 'queue', 'versions'].map(suite),
	testSequencer: '<rootDir>/tools/jest/sequencer.mts',
	// No test or preparation fails because the machine is busy.
	testTimeout: 400_000,
};
