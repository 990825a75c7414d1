import { toBeHex } from 'ethers';
import type { BigNumber } from '../schemas/big-number.mts';

/** The BigNumber form of an integer, as ethers v5 serializes it: whole bytes, with the sign before `0x`. */
export function toBigNumber(value: bigint): BigNumber {
	const hex = value < 0n ? `-${toBeHex(-value)}` : toBeHex(value);
	return { type: 'BigNumber', hex };
}

/** An amount in whole tokens, exact. ethers' function of this name refuses more than 80 of the 255 possible decimals. */
export function formatUnits(value: bigint, decimals: number): string {
	if (decimals === 0) return value.toString();
	const digits = value.toString().padStart(decimals + 1, '0');
	const fraction = digits.slice(-decimals).replace(/0+$/, '') || '0';
	return `${digits.slice(0, -decimals)}.${fraction}`;
}
