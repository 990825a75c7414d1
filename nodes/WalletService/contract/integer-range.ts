/**
 * The range of an integer type of the ABI.
 *
 * @param type `uint8` to `uint256`, `int8` to `int256`
 * @example integerRange('int8') // { min: -128n, max: 127n }
 */
export function integerRange(type: string): { readonly min: bigint; readonly max: bigint } {
	const isUnsigned = type.startsWith('u');
	const bits = BigInt(type.replace(/\D/g, ''));
	if (isUnsigned) return { min: 0n, max: 2n ** bits - 1n };
	return { min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n };
}

/** More digits than a person reads. */
const LONG = 2n ** 64n;

/**
 * The end of a range in words: the largest ones have up to 78 digits.
 *
 * @example inShort(2n ** 256n - 1n) // '2^256 - 1'
 * @example inShort(255n) // '255'
 */
export function inShort(limit: bigint): string {
	if (limit < LONG && limit > -LONG) return limit.toString();
	const power = (limit < 0n ? -limit : limit + 1n).toString(2).length - 1;
	return limit < 0n ? `-2^${power}` : `2^${power} - 1`;
}
