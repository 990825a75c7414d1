import type { ParamType } from 'ethers';

import { keepingLast } from '../values/caches';

const ELEMENTARY = /^(?:(u?int|bytes)(\d*)|address|bool|string)$/;

function isSize(base: string, size: string): boolean {
	const [least, most, step] = base === 'bytes' ? [1, 32, 1] : [8, 256, 8];
	const number = Number(size);
	return String(number) === size && number >= least && number <= most && number % step === 0;
}

/** Whether a word is, or was meant to be, an elementary type. @example looksLikeType('uint7') // true */
export function looksLikeType(word: string): boolean {
	return ELEMENTARY.test(word);
}

/**
 * Returns the canonical form of an elementary Solidity type (Solidity ABI specification, "Types"): `uint` is `uint256`.
 *
 * @param refuse throws an error with the reason why the word is not a type
 * @example elementaryType('uint', () => { throw new Error(); }) // 'uint256'
 */
export function elementaryType(
	word: string,
	refuse: (problem: string, hint: string) => never,
): string {
	const [known, base, size = ''] = ELEMENTARY.exec(word) ?? [];
	if (base !== undefined && size !== '' && !isSize(base, size)) {
		const sizes =
			base === 'bytes' ? 'bytes1 to bytes32, or bytes' : `${base}8 to ${base}256 in steps of 8`;
		return refuse('no type has this size', `Use ${sizes}`);
	}
	if (known !== undefined) return known.endsWith('int') ? `${known}256` : known;
	const lower = word.toLowerCase();
	if (looksLikeType(lower)) return refuse('this is not a type', `Write it in lower case: ${lower}`);
	return refuse(
		'this is not an ABI type',
		'Use uint256, int256, address, bool, bytes32, bytes, string, an array, or a tuple such as (address,uint96). Write address for a contract, uint8 for an enum, and a tuple for a struct.',
	);
}

/**
 * The range of an integer type of the ABI.
 *
 * @param type `uint8` to `uint256`, `int8` to `int256`
 * @example integerRange('int8') // { min: -128n, max: 127n }
 */
export const integerRange = keepingLast(
	(type: string): { readonly min: bigint; readonly max: bigint } => {
		const bits = BigInt(type.replace(/\D/g, ''));
		if (type.startsWith('u')) return { min: 0n, max: 2n ** bits - 1n };
		return { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
	},
);

/**
 * Shortens a limit of a range, because the largest limits have 78 digits.
 *
 * @example inShort(2n ** 256n - 1n) // '2^256 - 1'
 */
export function inShort(limit: bigint): string {
	if (limit < 2n ** 64n && limit > -(2n ** 64n)) return limit.toString();
	const bits = limit.toString(2).replace('-', '').length;
	return limit < 0n ? `-2^${bits - 1}` : `2^${bits} - 1`;
}

/**
 * Whether a member of a tuple is the amount in the details of a permit of Permit2, whatever function contains them.
 *
 * @example isPermittedAmount(ParamType.from('(address token, uint160 amount, uint48 expiration, uint48 nonce)'), 1) // true
 */
export function isPermittedAmount(tuple: ParamType, index: number): boolean {
	if (index !== 1 || !tuple.isTuple()) return false;
	return tuple.components.map(({ type }) => type).join() === 'address,uint160,uint48,uint48';
}
