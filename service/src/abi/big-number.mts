import { toBeHex } from 'ethers';
import type { BigNumber } from '../schemas/big-number.mts';

/** The BigNumber form of an integer, as ethers v5 serializes it: whole bytes, with the sign before `0x`. */
export function toBigNumber(value: bigint): BigNumber {
	const hex = value < 0n ? `-${toBeHex(-value)}` : toBeHex(value);
	return { type: 'BigNumber', hex };
}
