import type { ParamType } from 'ethers';

import { parseAddress } from '../values/address';
import { isBigNumber, parseBigNumber } from '../values/integers';
import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import { parseAmount } from '../values/units';
import { isUserId } from '../values/user-id';
import { memberKeys } from './function';
import { integerRange } from './integer-range';
import { membersOf, structureOf } from './members';

/** A checked argument: integers as decimal strings, bytes and addresses as hexadecimal strings, tuples as lists. */
export type ArgumentValue = string | boolean | readonly ArgumentValue[];

/** Returns the wallet address of a user ID that is given for an address; `path` is for errors. */
export type ResolveUser = (userId: string, path: string) => string;

/** Half of a surrogate pair, which UTF-8, and so the chain, cannot represent. */
const LONE_SURROGATE = /\p{Surrogate}/u;
const HEXADECIMAL = /^0x[0-9a-fA-F]*$/;

function refuse(path: string, value: unknown, message: string, hint: string): never {
	throw new InvalidInputError({ parameter: path, value, message, hint });
}

function integer(value: unknown, type: string, path: string): string {
	if (value === '') refuse(path, value, 'The value is empty', 'Give a whole number');
	const amount = isBigNumber(value)
		? parseBigNumber(value)
		: parseAmount(value, { parameter: path });
	const { min, max } = integerRange(type);
	if (amount < min || amount > max) {
		const side = amount < min ? 'below' : 'above';
		refuse(
			path,
			value,
			`${quote(value)} is ${side} the range of ${type}`,
			`Give a whole number from ${min} to ${max}`,
		);
	}
	return amount.toString();
}

function boolean(value: unknown, path: string): boolean {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	return refuse(path, value, `${quote(value)} is not a boolean`, 'Give true or false');
}

function bytes(value: unknown, type: string, path: string): string {
	const hex = typeof value === 'string' ? value.trim() : '';
	if (!HEXADECIMAL.test(hex)) {
		refuse(
			path,
			value,
			`${quote(value)} is not hexadecimal`,
			'Give 0x followed by two hexadecimal digits for each byte',
		);
	}
	const digits = hex.length - 2;
	if (digits % 2 !== 0) {
		refuse(
			path,
			value,
			`${quote(value)} has an odd number of hexadecimal digits`,
			'Give two digits for each byte: 0x0a, not 0xa',
		);
	}
	const length = Number(type.slice('bytes'.length) || digits / 2);
	if (digits !== length * 2) {
		refuse(
			path,
			value,
			`${quote(value)} has ${digits / 2} bytes instead of ${length}`,
			`Give 0x followed by ${length * 2} hexadecimal digits`,
		);
	}
	return hex;
}

function text(value: unknown, path: string): string {
	if (typeof value !== 'string') {
		return refuse(
			path,
			value,
			`${quote(value)} is not a text`,
			'Give a text; in JSON, put it in double quotes',
		);
	}
	if (LONE_SURROGATE.test(value)) {
		refuse(
			path,
			value,
			`${quote(value)} holds half a character`,
			'Remove the broken character: it cannot be written as UTF-8',
		);
	}
	return value;
}

function address(value: unknown, path: string, resolveUser: ResolveUser): string {
	const trimmed = typeof value === 'string' ? value.trim() : value;
	return parseAddress(isUserId(trimmed) ? resolveUser(trimmed, path) : value, path);
}

function elements(
	value: unknown,
	param: ParamType & { arrayLength: number },
	path: string,
): unknown[] {
	const list = structureOf(value, path);
	if (!Array.isArray(list)) {
		return refuse(path, value, `${quote(value)} is not a list`, 'Give a JSON list: ["1", "2"]');
	}
	const { arrayLength } = param;
	if (arrayLength >= 0 && list.length !== arrayLength) {
		refuse(
			path,
			value,
			`The list has ${list.length} elements instead of ${arrayLength}`,
			`Give exactly ${arrayLength} elements`,
		);
	}
	return list;
}

/**
 * Checks one argument against its type, at any depth, and returns it in canonical form.
 *
 * @param place the argument without its type: `recipients[2].amount`; errors name it with the type
 * @throws InvalidInputError whose `parameter` is the exact place and type, `recipients[2].amount (uint96)`.
 * @example
 * const resolveUser = () => '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
 * checkArgument([7, '2 gwei'], ParamType.from('uint96[]'), 'amounts', resolveUser) // ['7', '2000000000']
 */
export function checkArgument(
	value: unknown,
	param: ParamType,
	place: string,
	resolveUser: ResolveUser,
): ArgumentValue {
	const path = `${place} (${param.format('sighash')})`;
	if (param.isArray()) {
		return elements(value, param, path).map((element, index) =>
			checkArgument(element, param.arrayChildren, `${place}[${index}]`, resolveUser),
		);
	}
	if (param.isTuple()) {
		const keys = memberKeys(param.components);
		const values = membersOf(structureOf(value, path), param.components, path);
		return param.components.map((member, index) => {
			const step = member.name === '' ? `[${index}]` : `.${keys[index]}`;
			return checkArgument(values[index], member, `${place}${step}`, resolveUser);
		});
	}
	const { type } = param;
	if (type === 'bool') return boolean(value, path);
	if (type === 'string') return text(value, path);
	if (type === 'address') return address(value, path, resolveUser);
	if (type.startsWith('bytes')) return bytes(value, type, path);
	return integer(value, type, path);
}
