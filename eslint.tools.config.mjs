// Lints unpublished code (tests, sandbox, tools, benchmark); n8n's strict configuration lints the node. The project's own
// style rules, which n8n's configuration lacks, apply to both.
import { basename } from 'node:path';
import tseslint from 'typescript-eslint';

/** Kebab-case names, optionally in several parts separated by dots: `send-write.ts`, `outcome.test.mts`. */
const KEBAB_CASE = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
/** Files that n8n finds by the names of the classes in them. */
const NAMED_BY_N8N = /\.(?:node|credentials)\.ts$/;
/** `Date.now` and `performance.now`, and `new Date()` without a time. */
const CLOCKS =
	'MemberExpression[object.name=/^(Date|performance)$/][property.name="now"], NewExpression[callee.name="Date"][arguments.length=0]';

const SPREAD = {
	selector: 'ObjectExpression > SpreadElement > ObjectExpression.argument',
	message: 'State the properties themselves.',
};
const WALL_CLOCK = { selector: CLOCKS, message: 'Use monotonicMs or wallClockMs of values/clock.' };
/** Where the node reads what n8n does not offer: its faults, the runs that it has kept, and how it resolves credentials. */
const READS_N8N = [
	'nodes/WalletService/request/run/n8n-faults/**',
	'nodes/WalletService/writes/kept-runs.ts',
	'nodes/WalletService/request/credential/shared-credential.ts',
];
const PRIVATE = {
	selector:
		'CallExpression[callee.object.name="Reflect"][callee.property.name="get"][arguments.0.name="context"], Identifier[name=/^(runExecutionData|additionalData)$/], Literal[value=/^(runExecutionData|additionalData)$/]',
	message: "Only what READS_N8N names may read n8n's private data.",
};

const kebabCase = {
	meta: { type: 'suggestion', schema: [], messages: { wrong: '{{name}} is not in kebab-case' } },
	create: (context) => ({
		Program(node) {
			const name = basename(context.filename);
			if (KEBAB_CASE.test(name) || NAMED_BY_N8N.test(name)) return;
			context.report({ node, messageId: 'wrong', data: { name } });
		},
	}),
};

export default tseslint.config(
	{ ignores: ['**/node_modules/', '**/dist/', '.local/'] },
	{
		files: ['**/*.mts', '{nodes,credentials}/**/*.ts'],
		extends: [tseslint.configs.base],
		plugins: { project: { rules: { 'kebab-case': kebabCase } } },
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'max-lines': ['error', { max: 250 }],
			'project/kebab-case': 'error',
		},
	},
	{
		files: ['{nodes,credentials}/**/*.ts'],
		rules: {
			'no-restricted-properties': [
				'error',
				{ object: 'URL', property: 'parse', message: 'Node.js 20.15 lacks it: use urlOf.' },
			],
		},
	},
	{
		// The wall clock can be set back or forward during a wait.
		files: ['{nodes,credentials}/**/*.ts'],
		ignores: ['nodes/WalletService/values/clock.ts'],
		rules: {
			'no-restricted-syntax': ['error', SPREAD, WALL_CLOCK, PRIVATE],
		},
	},
	{ files: READS_N8N, rules: { 'no-restricted-syntax': ['error', SPREAD, WALL_CLOCK] } },
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		rules: {
			'no-restricted-syntax': ['error', SPREAD],
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
		},
	},
);
