/** One jest project a suite; `test/run.mts` runs them and sums up. */
const suite = (name, options = {}) => ({
	displayName: name,
	rootDir: import.meta.dirname,
	testMatch: [`<rootDir>/test/${name}/**/*.test.mts`],
	testEnvironment: 'node',
	modulePathIgnorePatterns: ['<rootDir>/.local/'],
	moduleFileExtensions: ['mts', 'ts', 'mjs', 'cjs', 'js', 'json', 'node'],
	transform: {
		'(\\.m?ts|(p-limit|yocto-queue)/index\\.js)$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	// p-limit and its queue are ES modules only; jest loads CommonJS.
	transformIgnorePatterns: ['/node_modules/(?!.*(p-limit|yocto-queue)/)'],
	...options,
});

export default {
	projects: ['unit', 'engine', 'service', 'e2e', 'browser', 'queue', 'versions'].map((name) =>
		suite(name),
	),
	testTimeout: 120_000,
};
