import { AbiCoder, isError, isHexString, type FunctionFragment, type ParamType } from 'ethers';
import { checkAddress } from './address.mts';
import { parseExactJson } from './exact-json.mts';
import { InputError } from './input-error.mts';

const INTEGER = /^-?(\d+|0x[0-9a-f]+)$/i;

function parseJson(text: string, field: string): unknown {
	try {
		return parseExactJson(text);
	} catch (cause) {
		throw new InputError(field, 'is not valid JSON', { cause });
	}
}

function toInteger(input: unknown, field: string): bigint {
	if (typeof input === 'bigint') return input;
	if (typeof input !== 'string' || !INTEGER.test(input)) {
		throw new InputError(field, 'must be an integer, decimal or 0x-prefixed');
	}
	return input.startsWith('-') ? -BigInt(input.slice(1)) : BigInt(input);
}

function toBoolean(input: unknown, field: string): boolean {
	if (input === true || input === 'true') return true;
	if (input === false || input === 'false') return false;
	throw new InputError(field, 'must be true or false');
}

function toText(input: unknown, field: string): string {
	if (typeof input === 'string') return input;
	throw new InputError(field, 'must be a string');
}

function toBytes(input: unknown, field: string): string {
	if (isHexString(input) && input.length % 2 === 0) return input;
	throw new InputError(field, 'must be bytes as 0x-prefixed hexadecimal digits, two a byte');
}

function toList(element: ParamType, length: number, input: unknown, field: string): unknown[] {
	if (!Array.isArray(input)) throw new InputError(field, 'must be a JSON array');
	if (length !== -1 && input.length !== length) {
		throw new InputError(field, `must have ${length} elements, not ${input.length}`);
	}
	return input.map((value, index) => toValue(element, value, `${field}[${index}]`));
}

function toTuple(components: readonly ParamType[], input: unknown, field: string): unknown[] {
	if (Array.isArray(input)) {
		if (input.length !== components.length) {
			throw new InputError(field, `must have ${components.length} elements, not ${input.length}`);
		}
		return components.map((component, index) => {
			return toValue(component, input[index], `${field}[${index}]`);
		});
	}
	if (typeof input !== 'object' || input === null) {
		throw new InputError(field, 'must be a JSON array or object');
	}
	const values = new Map<string, unknown>(Object.entries(input));
	const tuple = components.map((component) => {
		if (!values.has(component.name)) {
			throw new InputError(field, `lacks the component "${component.name}"`);
		}
		const value = toValue(component, values.get(component.name), `${field}.${component.name}`);
		values.delete(component.name);
		return value;
	});
	for (const name of values.keys()) throw new InputError(field, `has no component "${name}"`);
	return tuple;
}

function toValue(type: ParamType, input: unknown, field: string): unknown {
	if (type.isArray() || type.isTuple()) {
		const parsed = typeof input === 'string' ? parseJson(input, field) : input;
		return type.isArray()
			? toList(type.arrayChildren, type.arrayLength, parsed, field)
			: toTuple(type.components ?? [], parsed, field);
	}
	const family = type.type.replace(/\d+$/, '');
	switch (family) {
		case 'uint':
		case 'int':
			return toInteger(input, field);
		case 'bool':
			return toBoolean(input, field);
		case 'address':
			return checkAddress(toText(input, field), field);
		case 'bytes':
			return toBytes(input, field);
		case 'string':
			return toText(input, field);
		default:
			throw new InputError('abi', `has the type ${type.type}, which is not supported`);
	}
}

function checkEncodes(type: ParamType, value: unknown, field: string): void {
	try {
		AbiCoder.defaultAbiCoder().encode([type], [value]);
	} catch (cause) {
		const reason = isError(cause, 'INVALID_ARGUMENT') ? cause.shortMessage : 'cannot be encoded';
		throw new InputError(field, `is not a ${type.type}: ${reason}`, { cause });
	}
}

/**
 * Parses the strings of a request as arguments of a function. Arrays and tuples are JSON text, in which a tuple is
 * an array or an object; integers in the JSON may be numbers of any size or strings.
 *
 * @throws InputError naming the argument and the position in the argument
 */
export function parseArguments(signature: FunctionFragment, args: string[]): unknown[] {
	const { inputs } = signature;
	if (args.length !== inputs.length) {
		throw new InputError('args', `must have ${inputs.length} elements, not ${args.length}`);
	}
	return inputs.map((type, index) => {
		const field = `args[${index}]`;
		const value = toValue(type, args[index], field);
		checkEncodes(type, value, field);
		return value;
	});
}
