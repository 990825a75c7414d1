import { getBytes } from 'ethers';

/**
 * Reads the symbol or name of a token: 32 bytes (as of MKR) are decoded, and NULs, which databases refuse, are dropped.
 *
 * @returns an empty string for 32 bytes that are not text; any value that is not a string unchanged
 * @example plainText(`0x4d4b52${'00'.repeat(29)}`) // 'MKR'
 */
export function plainText<Value>(value: Value): Value | string {
	if (typeof value !== 'string') return value;
	const isInBytes = /^0x[0-9a-f]{64}$/i.test(value);
	const text = isInBytes ? new TextDecoder().decode(getBytes(value)) : value;
	return isInBytes && text.startsWith('\0') ? '' : text.replaceAll('\0', '');
}
