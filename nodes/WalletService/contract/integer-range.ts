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
