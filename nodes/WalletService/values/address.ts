import { getAddress } from 'ethers';

import { ExpiringMap } from './expiring-map';
import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/** `0x` and any number of hexadecimal digits. */
export const HEXADECIMAL = /^0x[0-9a-fA-F]*$/;
const LENGTH = 42;

/** Addresses with a verified checksum: a run uses the same contract in each of its items. */
const checksummed = new ExpiringMap<true>({ maxEntries: 1000 });

/** Whether the case of the letters is a valid EIP-55 checksum. */
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
 * Checks a wallet or contract address: 0x and 40 hexadecimal digits, with a valid EIP-55 checksum if upper and lower case
 * are mixed. Surrounding white space is dropped; the case of the letters is kept, because the service echoes it
 * (interface, section 4.3).
 *
 * @param parameter the node parameter that holds the address, for errors
 * @throws InvalidInputError that names `parameter`.
 * @example parseAddress(' 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 ', 'to') // '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
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

/**
 * The beginning and the end of an address, by which a person recognizes it.
 *
 * @example shortAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045') // '0xd8dA…6045'
 */
export function shortAddress(address: string): string {
	return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/**
 * Whether a value is a valid address, without white space around it.
 *
 * @example isAddress('0xd8da6bf26964af9d7eed9e03e53415d37aa96045') // true
 */
export function isAddress(value: unknown): value is string {
	return typeof value === 'string' && problemOf(value) === undefined;
}
