import { toBeHex } from 'ethers';
import type { BigNumber } from '../schemas/big-number.mts';

/** The BigNumber form of an integer, as ethers v5 writes it: whole bytes, the sign in front of `0x`. */
export function toBigNumber(value: bigint): BigNumber {
	const hex = value < 0n ? `-${toBeHex(-value)}` : toBeHex(value);
	return { type: 'BigNumber', hex };
}
