import { getAddress } from 'ethers';

import { ExpiringMap } from './expiring-map';
import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

const HEXADECIMAL = /^0x[0-9a-fA-F]*$/;
const LENGTH = 42;

/** Addresses whose checksum is known to be right: the contract of a run is the same in each of its items. */
const checksummed = new ExpiringMap<true>({ maxEntries: 1000 });

/** Whether upper and lower case letters make the checksum of EIP-55. */
function hasRightChecksum(address: string): boolean {
	if (checksummed.get(address) === true) return true;
	if (getAddress(address.toLowerCase()) !== address) return false;
	checksummed.set(address, true);
	return true;
}

function problemOf(address: string): { message: string; hint: string } | undefined {
	const shown = quote(address);
	const shape = 'Give 0x followed by 40 hexadecimal digits';
	if (!HEXADECIMAL.test(address)) return { message: `${shown} is not an address`, hint: shape };
	if (address.length !== LENGTH) {
		return {
			message: `The address ${shown} has ${address.length - 2} hexadecimal digits instead of 40`,
			hint: shape,
		};
	}
	const digits = address.slice(2);
	if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined;
	if (hasRightChecksum(address)) return undefined;
	return {
		message: `The address ${shown} has a wrong checksum: a character or the case of a letter is mistyped`,
		hint: 'Copy the address again from its source, or write it in lower case when you are sure of every character',
	};
}

/**
 * A checked wallet or contract address: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when upper and
 * lower case are mixed. Surrounding white space is dropped; the letters keep the caller's case, because the service
 * echoes it (interface, section 4.3).
 *
 * @throws InvalidInputError that names `parameter`.
 * @example parseAddress(' 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 ', 'contractAddress')
 */
export function parseAddress(value: unknown, parameter: string): string {
	const address = typeof value === 'string' ? value.trim() : '';
	const problem =
		address === ''
			? {
					message: `${quote(value)} is not an address`,
					hint: 'Give the address as text: 0x and 40 hexadecimal digits',
				}
			: problemOf(address);
	if (problem !== undefined) throw new InvalidInputError({ parameter, value, ...problem });
	return address;
}

/** Whether a value is a checked address as it stands. */
export function isAddress(value: unknown): value is string {
	return typeof value === 'string' && problemOf(value) === undefined;
}
