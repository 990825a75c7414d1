import { isHexString, type FunctionFragment, type ParamType } from 'ethers';
import { checkAddress } from './address.mts';
import { NamedTwice, parseExactJson, TooLarge } from './exact-json.mts';
import { InputError } from './input-error.mts';
import { bytesIn, inOrder, wordOf, type Encoded, type Words } from './words.mts';

/** Longer ones take time, and fit no type. */
const INTEGER = /^-?(\d{1,78}|0x[0-9a-f]{1,64})$/i;

function parseJson(text: string, field: string, words: Words): unknown {
	try {
		return parseExactJson(text, words.most);
	} catch (cause) {
		if (cause instanceof TooLarge) throw words.tooMany();
		if (cause instanceof NamedTwice) throw new InputError(field, 'has a name twice');
		throw new InputError(field, 'is not valid JSON', { cause });
	}
}

function toInteger(input: unknown, field: string): bigint {
	if (typeof input === 'bigint') return input;
	if (typeof input !== 'string' || !INTEGER.test(input)) {
		throw new InputError(field, 'must be an integer of at most 256 bits, decimal or 0x-prefixed');
	}
	return input.startsWith('-') ? -BigInt(input.slice(1)) : BigInt(input);
}

function integerWord(type: string, value: bigint, field: string): string {
	const isSigned = type.startsWith('int');
	const bits = Number(type.replace(/^\D+/, '')) - (isSigned ? 1 : 0);
	const isTooLarge = value >> BigInt(bits) > 0n;
	if (isTooLarge || (value < 0n && (!isSigned || -value > 1n << BigInt(bits)))) {
		throw new InputError(field, `is not a ${type}: it is out of its range`);
	}
	return wordOf(BigInt.asUintN(256, value));
}

function toBoolean(input: unknown, field: string): boolean {
	if (input === true || input === 'true') return true;
	if (input === false || input === 'false') return false;
	throw new InputError(field, 'must be true or false');
}

function toText(input: unknown, field: string): string {
	if (typeof input === 'string' && input.isWellFormed()) return input;
	throw new InputError(field, 'must be a string of whole characters');
}

/** Hexadecimal digits, two a byte. */
function toBytes(input: unknown, field: string): string {
	if (isHexString(input) && input.length % 2 === 0) return input.slice(2).toLowerCase();
	throw new InputError(field, 'must be bytes as 0x-prefixed hexadecimal digits, two a byte');
}

function fixedBytes(type: string, digits: string, field: string): string {
	if (digits.length === 2 * Number(type.slice('bytes'.length))) return digits.padEnd(64, '0');
	throw new InputError(field, `is not a ${type}: it has ${digits.length / 2} bytes`);
}

async function encodeAll(
	values: readonly [ParamType, unknown, field: string][],
	words: Words,
): Promise<Encoded> {
	const encoded: Encoded[] = [];
	for (const value of values) encoded.push(await encode(...value, words));
	await words.take(encoded.filter(({ isDynamic }) => isDynamic).length);
	return inOrder(encoded);
}

async function encodeList(
	element: ParamType,
	length: number,
	input: unknown,
	field: string,
	words: Words,
): Promise<Encoded> {
	if (!Array.isArray(input)) throw new InputError(field, 'must be a JSON array');
	const isFixed = length !== -1;
	if (isFixed && input.length !== length) {
		throw new InputError(field, `must have ${length} elements, not ${input.length}`);
	}
	const all = input.map((value: unknown, index): [ParamType, unknown, string] => {
		return [element, value, `${field}[${index}]`];
	});
	const elements = await encodeAll(all, words);
	if (isFixed) return elements;
	await words.take(1);
	return { hex: wordOf(input.length) + elements.hex, isDynamic: true };
}

/** The components of a tuple in the order of its type. */
function componentsOf(
	components: readonly ParamType[],
	input: unknown,
	field: string,
): [ParamType, unknown, string][] {
	if (Array.isArray(input)) {
		if (input.length !== components.length) {
			throw new InputError(field, `must have ${components.length} elements, not ${input.length}`);
		}
		return components.map((component, index) => [component, input[index], `${field}[${index}]`]);
	}
	if (typeof input !== 'object' || input === null) {
		throw new InputError(field, 'must be a JSON array or object');
	}
	const names = components.map(({ name }) => name);
	if (new Set(names).size < names.length || names.includes('')) {
		throw new InputError(field, 'must be a JSON array: its components have no names of their own');
	}
	const values = new Map<string, unknown>(Object.entries(input));
	const found = components.map((component): [ParamType, unknown, string] => {
		if (!values.has(component.name)) {
			throw new InputError(field, `lacks the component "${component.name}"`);
		}
		return [component, values.get(component.name), `${field}.${component.name}`];
	});
	for (const name of names) values.delete(name);
	for (const name of values.keys()) throw new InputError(field, `has no component "${name}"`);
	return found;
}

async function encode(
	type: ParamType,
	input: unknown,
	field: string,
	words: Words,
): Promise<Encoded> {
	if (type.isArray() || type.isTuple()) {
		const parsed = typeof input === 'string' ? parseJson(input, field, words) : input;
		return type.isArray()
			? await encodeList(type.arrayChildren, type.arrayLength, parsed, field, words)
			: await encodeAll(componentsOf(type.components ?? [], parsed, field), words);
	}
	if (type.type === 'bytes') return await bytesIn(toBytes(input, field), words);
	if (type.type === 'string') {
		const digits = Buffer.from(toText(input, field)).toString('hex');
		return await bytesIn(digits, words);
	}
	await words.take(1);
	return { hex: wordFor(type.type, input, field), isDynamic: false };
}

function wordFor(type: string, input: unknown, field: string): string {
	switch (type.replace(/\d+$/, '')) {
		case 'uint':
		case 'int':
			return integerWord(type, toInteger(input, field), field);
		case 'bool':
			return wordOf(toBoolean(input, field) ? 1 : 0);
		case 'address':
			return checkAddress(toText(input, field), field).slice(2).toLowerCase().padStart(64, '0');
		case 'bytes':
			return fixedBytes(type, toBytes(input, field), field);
		default:
			throw new InputError('abi', `has the type ${type}, which is not supported`);
	}
}

/**
 * Encodes the strings of a request as arguments of a function. Arrays and tuples are JSON text, in which a tuple is
 * an array or an object; integers in the JSON may be numbers of any size or strings.
 *
 * @param words the words that they may take
 * @returns hexadecimal digits without `0x`
 * @throws InputError naming the argument and the position in the argument
 */
export async function encodeArguments(
	{ inputs }: FunctionFragment,
	args: readonly string[],
	words: Words,
): Promise<string> {
	if (args.length !== inputs.length) {
		throw new InputError('args', `must have ${inputs.length} elements, not ${args.length}`);
	}
	const all = inputs.map((type, index): [ParamType, unknown, string] => {
		return [type, args[index], `args[${index}]`];
	});
	return (await encodeAll(all, words)).hex;
}
