/** Packages that are ES modules only, with those that they use; jest loads CommonJS. */
const ESM_ONLY = `(${[
	...['p-limit', 'yocto-queue', 'github-slugger', 'oauth4webapi'],
	...['mdast-util-[^/]+', 'micromark[^/]*', 'unist-util-[^/]+', 'ccount', 'character-entities'],
	...['decode-named-character-reference', 'devlop', 'escape-string-regexp', 'longest-streak'],
	...['markdown-table', 'zwitch'],
	...['execa', '@sec-ant/readable-stream', '@sindresorhus/merge-streams', 'figures', 'get-stream'],
	...['human-signals', 'is-plain-obj', 'is-stream', 'is-unicode-supported', 'npm-run-path'],
	...['parse-ms', 'path-key', 'pretty-ms', 'strip-final-newline', 'unicorn-magic', 'yoctocolors'],
].join('|')})`;

/** One jest project a suite; `test/run.mts` runs them and sums up. */
const suite = (name, options = {}) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: 'node',
	modulePathIgnorePatterns: ['<rootDir>/.local/'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json', 'node'],
	transform: {
		[`\\.m?ts$|/node_modules/${ESM_ONLY}/.*\\.js$`]: [
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
	transformIgnorePatterns: [`/node_modules/(?!(\\.pnpm/.*/)?${ESM_ONLY}/)`],
	...options,
});

export default {
	projects: ['unit', 'engine', 'service', 'e2e', 'browser', 'queue', 'versions'].map((name) =>
		suite(name),
	),
	testTimeout: 120_000,
};
