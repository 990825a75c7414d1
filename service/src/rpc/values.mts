/**
 * Reads the values of an endpoint's answers: tolerant of form, strict of meaning. Clients write the same value in several
 * forms; what cannot be read is not known, and never a default.
 */
import { EndpointFailure } from './failures.mts';

/** The largest integer of the chain. */
const MOST = 2n ** 256n - 1n;

/** Beginning of a value, for a message. Of lists and objects only the kind: they can be nested so deeply that no text holds them. */
function shown(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 40);
}

/**
 * An integer, exact: hexadecimal with or without leading zeros, in any letter case, or a JSON number.
 *
 * @throws EndpointFailure for any other value: a read that failed is not a number
 */
export function quantity(value: unknown): bigint {
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
	if (typeof value === 'string' && /^0x[0-9a-f]{1,128}$/i.test(value)) {
		const number = BigInt(value.toLowerCase());
		if (number <= MOST) return number;
	}
	throw new EndpointFailure(`The endpoint's answer is not an integer: ${shown(value)}`);
}

/** An integer that a number holds exactly, such as that of a block. @throws EndpointFailure */
export function index(value: unknown): number {
	const number = Number(quantity(value));
	if (Number.isSafeInteger(number)) return number;
	throw new EndpointFailure(`The endpoint's answer is too large: ${shown(value)}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object; undefined for null. @throws EndpointFailure for any other value */
export function record(value: unknown): Record<string, unknown> | undefined {
	if (value === null) return undefined;
	if (isObject(value)) return value;
	throw new EndpointFailure(`The endpoint's answer is not an object: ${shown(value)}`);
}

/** A list. @throws EndpointFailure for any other value */
export function list(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	throw new EndpointFailure(`The endpoint's answer is not a list: ${shown(value)}`);
}

/** Bytes in hexadecimal, in lower case. @throws EndpointFailure for any other value */
export function bytes(value: unknown): string {
	if (typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value)) return value.toLowerCase();
	throw new EndpointFailure(`The endpoint's answer is not made of bytes: ${shown(value)}`);
}

function bytesOf(length: number, name: string) {
	return (value: unknown): string => {
		const data = bytes(value);
		if (data.length === 2 + 2 * length) return data;
		throw new EndpointFailure(`The endpoint's answer is not ${name}: ${shown(value)}`);
	};
}

/** The hash of a block or transaction, in lower case. @throws EndpointFailure for any other value */
export const hash = bytesOf(32, 'a hash');

/** An address, in lower case. @throws EndpointFailure for any other value */
export const address = bytesOf(20, 'an address');

/** A value, or undefined where it is absent or cannot be read: for fields that nothing depends on. */
export function ifReadable<T>(read: (value: unknown) => T, value: unknown): T | undefined {
	try {
		return read(value);
	} catch (error) {
		if (error instanceof EndpointFailure) return undefined;
		throw error;
	}
}
