import { getAddress, isAddress } from 'ethers';
import { InputError } from './input-error.mts';

const FORM = /^0x[0-9a-fA-F]{40}$/;

/** Whether a string is an address: 20 bytes in hexadecimal, with the correct EIP-55 checksum if in mixed case. */
export function isHexAddress(text: string): boolean {
	return FORM.test(text) && isAddress(text);
}

/**
 * Returns the checksummed form of an address.
 *
 * @throws InputError that names `field`
 */
export function checkAddress(text: string, field: string): string {
	if (isHexAddress(text)) return getAddress(text);
	throw new InputError(field, 'is not an address, or its EIP-55 checksum is wrong');
}
