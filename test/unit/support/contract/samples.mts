import type { JsonFragmentType } from 'ethers';

export const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const OTHER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
export const WORD = `0x${'0123456789abcdef'.repeat(4)}`;

/** A JSON ABI parameter, declared as in `uint256 amount`. */
export function param(declaration: string): JsonFragmentType {
	const [type = '', name = ''] = declaration.split(' ');
	return { type, name };
}

/** JSON ABI parameters, declared as in `address to, uint256 amount`; none for an empty string. */
export const params = (declarations: string): JsonFragmentType[] =>
	declarations === '' ? [] : declarations.split(', ').map(param);

/** A JSON ABI tuple, as in `tuple('uint256 a, bool b', 'point')`; the suffix `[]` or `[3]` makes it an array. */
export const tuple = (members: string, name: string, suffix = ''): JsonFragmentType => ({
	type: `tuple${suffix}`,
	name,
	components: params(members),
});

/** A function in a JSON ABI; inputs and outputs that are not text are used unchanged, even if invalid. */
export const fn = (name: unknown, inputs: unknown, outputs: unknown, stateMutability?: string) => ({
	type: 'function',
	name,
	inputs: typeof inputs === 'string' ? params(inputs) : inputs,
	outputs: typeof outputs === 'string' ? params(outputs) : outputs,
	stateMutability,
});

/** Keeps a list on one line; Prettier would break an array literal. */
export const list = (...items: readonly unknown[]): readonly unknown[] => items;
