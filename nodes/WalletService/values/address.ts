import { getAddress } from 'ethers';

import type { Field } from './invalid-input';
import { refuse } from './invalid-input';
import { quote } from './quote';

/** Bytes in hexadecimal, of any length. */
export const HEXADECIMAL = /^0x[0-9a-fA-F]*$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const ADDRESSES = /0x[0-9a-f]{40}(?![0-9a-f])/gi;
/** An address behind the name of a network: `eth:` (EIP-3770), `eip155:1:` (CAIP-10), `ethereum:pay-` (EIP-681). */
const NETWORK_ADDRESS = /^([a-z][\w-]*:(?:[\w-]+:|pay-)?)0x[0-9a-f]{40}(?![0-9a-f])/i;

/**
 * Whether text was meant as an address, also in quotes, without its 0x, or behind an invisible character.
 *
 * @example isMeantAsAddress('"0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"') // true
 */
export function isMeantAsAddress(text: string): boolean {
	return /^0x|[\da-f]{38}/i.test(text);
}

/**
 * Finds the addresses in text.
 *
 * @example addressesIn('Anna 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045').length // 1
 */
export function addressesIn(text: string): readonly string[] {
	return text.match(ADDRESSES) ?? [];
}

/** Whether text is one address with words, such as `Anna 0x…`, but not its page. */
function isNamed(text: string): boolean {
	const hasWords = /\p{L}/u.test(text.replace(ADDRESSES, '')) && !text.includes('://');
	return hasWords && addressesIn(text).length === 1;
}

/** Message and hint for an invalid address; `undefined` for a valid one. */
function problemOf(address: string): readonly [message: string, hint: string] | undefined {
	// Long lists of addresses are checked for each write.
	if (ADDRESS.test(address) && withKnownChecksum(address) === address) return undefined;
	const shown = quote(address);
	const shape = 'Paste the address: it starts with 0x and has 40 characters after that';
	const [, network] = NETWORK_ADDRESS.exec(address) ?? [];
	if (network !== undefined) {
		const hint = `If it is the network of this service, remove ${quote(network)} and all but the address`;
		return [`${shown} names a network before the address`, hint];
	}
	if (isNamed(address))
		return [`${shown} contains text besides the address`, 'Enter one address, without the name'];
	if (!HEXADECIMAL.test(address)) return [`${shown} is not an address`, shape];
	if (!ADDRESS.test(address)) {
		const problem = `has ${address.length - 2} hexadecimal digits instead of 40`;
		return [`The address ${shown} ${problem}`, shape];
	}
	return [
		`The address ${shown} has a wrong checksum: a character is mistyped, or a letter has the wrong case`,
		'Copy the address again from its source, or write it in lower case if you are sure of every character: Rootstock has checksums of its own (EIP-1191)',
	];
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
export function parseAddress(value: unknown, parameter: Field): string {
	// Some programs write all of it in upper case.
	const address = typeof value === 'string' ? value.trim().replace(/^0X/, '0x') : '';
	if (address === '') {
		const hint = 'Enter the address as text: 0x and 40 hexadecimal digits';
		refuse(parameter, `${quote(value)} is not an address`, hint);
	}
	const problem = problemOf(address);
	return problem === undefined ? address : refuse(parameter, ...problem);
}

/**
 * Shortens an address to its beginning and end, by which a person can still recognize it.
 *
 * @example shortAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045') // '0xd8dA…6045'
 */
export function shortAddress(address: string): string {
	return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/**
 * Whether an address is the zero address, which belongs to nobody.
 *
 * @example isZeroAddress('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045') // false
 */
export function isZeroAddress(address: string): boolean {
	return /^0x0{40}$/i.test(address);
}

/**
 * Whether a value in an answer is an address. The case of its letters does not matter: nobody has typed it.
 *
 * @example isAddress('0xD8da6bf26964af9d7eed9e03e53415d37aa96045') // true
 */
export function isAddress(value: unknown): value is string {
	return typeof value === 'string' && ADDRESS.test(value);
}

/**
 * Returns an address unchanged if all tools accept the case of its letters, otherwise in lower case.
 *
 * @example withKnownChecksum('0xD8da6bf26964af9d7eed9e03e53415d37aa96045') // '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 */
export function withKnownChecksum(address: string): string {
	const [digits, lower] = [address.slice(2), address.toLowerCase()];
	const hasNoChecksum = address === lower || digits === digits.toUpperCase();
	return hasNoChecksum || getAddress(lower) === address ? address : lower;
}
