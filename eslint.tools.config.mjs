// For what never ships (tests, sandbox, workbench, benchmark); the node itself is linted by n8n's own strict configuration.
import tseslint from 'typescript-eslint';

export default tseslint.config(
	{ ignores: ['**/node_modules/', '**/dist/', '.local/', 'nodes/', 'credentials/'] },
	{
		files: ['**/*.mts'],
		extends: [tseslint.configs.strict, tseslint.configs.stylistic],
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/no-non-null-assertion': 'error',
			'max-lines': ['error', { max: 250 }],
		},
	},
);
