import type { JsonFragmentType } from 'ethers';

/** A signature as people paste it, beside the JSON ABI that a compiler gives for it, and arguments for a call. */
export interface WellFormed {
	readonly signature: string;
	readonly name: string;
	readonly inputs: JsonFragmentType[];
	readonly outputs: JsonFragmentType[];
	readonly args: unknown[];
}

/** A JSON ABI parameter: `uint256 amount`. */
export function param(declaration: string): JsonFragmentType {
	const [type = '', name = ''] = declaration.split(' ');
	return { type, name };
}

/** JSON ABI parameters: `address to, uint256 amount`; nothing for an empty text. */
export function params(declarations: string): JsonFragmentType[] {
	return declarations === '' ? [] : declarations.split(', ').map(param);
}

/** A JSON ABI tuple: `tuple('uint256 a, bool b', 'point')`, with `[]` or `[3]` as suffix for arrays. */
export function tuple(
	members: string | JsonFragmentType[],
	name = '',
	suffix = '',
): JsonFragmentType {
	const components = typeof members === 'string' ? params(members) : members;
	return { type: `tuple${suffix}`, name, components };
}

/** A row of the table. */
export function row(
	signature: string,
	name: string,
	inputs: string | JsonFragmentType[],
	outputs: string | JsonFragmentType[],
	args: unknown[],
): WellFormed {
	return {
		signature,
		name,
		inputs: typeof inputs === 'string' ? params(inputs) : inputs,
		outputs: typeof outputs === 'string' ? params(outputs) : outputs,
		args,
	};
}

export const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const OTHER = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
export const WORD = `0x${'0123456789abcdef'.repeat(4)}`;
