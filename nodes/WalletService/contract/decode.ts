import type { ParamType } from 'ethers';

import { bigNumbersToDecimal, readInteger } from '../values/integers';
import { isObject } from '../values/objects';
import { quote } from '../values/quote';
import { formatUnitsExact } from '../values/decimal';
import { Stretches } from '../values/turns';
import type { ContractFunction } from './function';
import { hasNames, memberKeys } from './function';
import { integerRange } from './type-names';

/** An answer, decoded with the declared return types, or undecoded with the first mismatch as the reason. */
export type DecodedAnswer =
	| { readonly isDecoded: true; readonly value: unknown }
	| { readonly isDecoded: false; readonly value: unknown; readonly reason: string };

export interface DecodeOptions {
	/** Scale every integer of the answer by this number of decimal places: `1500000` becomes `1.5` with 6. */
	readonly decimals?: number;
	/** Write addresses and bytes in lower case, so that equal answers are identical. */
	readonly isComparable?: boolean;
}

interface Walk extends DecodeOptions {
	/** The first mismatch. */
	reason?: string;
}

/**
 * Whether the values of a type are hexadecimal, and so may be written in upper or lower case.
 *
 * @example isHexadecimalType(ParamType.from('bytes32')) // true
 */
export function isHexadecimalType({ type }: ParamType): boolean {
	return /^(?:address|bytes)/.test(type);
}

/** Whether a value is a `0x` string with exactly as many bytes as the type requires. */
function isHexadecimal(value: unknown, type: string): boolean {
	if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) return false;
	const length = type === 'address' ? 20 : Number(type.slice('bytes'.length));
	return length === 0 || value.length === 2 + 2 * length;
}

function mismatch(walk: Walk, path: string, value: unknown, param: ParamType): undefined {
	walk.reason ??= `${path}: ${quote(value)} is not of type ${param.format('sighash')}`;
	return undefined;
}

/** Returns the members in order, from a list or from an object by name or index; `undefined` if they do not match. */
function membersIn(value: unknown, members: readonly ParamType[]): unknown[] | undefined {
	if (Array.isArray(value)) return value.length === members.length ? value : undefined;
	if (!isObject(value)) return undefined;
	const keys = memberKeys(members).map((key, index) =>
		Object.hasOwn(value, key) ? key : String(index),
	);
	return keys.every((key) => Object.hasOwn(value, key)) ? keys.map((key) => value[key]) : undefined;
}

/** Decoding in steps, one for each element of a list, so that n8n can do other work between them. */
type Steps<T = unknown> = Generator<void, T>;

/** Elements that are decoded at once. */
const VALUES_AT_ONCE = 1000;

/** Decodes members into an object by name (an unnamed one by its index), or into a list if none has a name. */
function* decodeMembers(
	walk: Walk,
	values: readonly unknown[],
	members: readonly ParamType[],
	path: string,
): Steps {
	const keys = memberKeys(members);
	const decoded: unknown[] = [];
	for (const [index, member] of members.entries())
		decoded.push(yield* decodeValue(walk, values[index], member, `${path}.${keys[index]}`));
	// `fromEntries` creates an own property even for a member named __proto__.
	return hasNames(members)
		? Object.fromEntries(decoded.map((part, index) => [keys[index], part]))
		: decoded;
}

function* decodeValue(walk: Walk, value: unknown, param: ParamType, path: string): Steps {
	if (param.isArray()) {
		const { arrayChildren, arrayLength } = param;
		const fits = Array.isArray(value) && (arrayLength < 0 || value.length === arrayLength);
		if (!fits) return mismatch(walk, path, value, param);
		const decoded: unknown[] = [];
		for (const [index, element] of value.entries()) {
			decoded.push(yield* decodeValue(walk, element, arrayChildren, `${path}[${index}]`));
			yield;
		}
		return decoded;
	}
	if (param.isTuple()) {
		const values = membersIn(value, param.components);
		if (values === undefined) return mismatch(walk, path, value, param);
		return yield* decodeMembers(walk, values, param.components, path);
	}
	const { type } = param;
	if (isHexadecimalType(param)) {
		if (!isHexadecimal(value, type)) return mismatch(walk, path, value, param);
		return walk.isComparable === true ? String(value).toLowerCase() : value;
	}
	if (/int/.test(type)) {
		const integer = readInteger(value);
		const { min, max } = integerRange(type);
		if (integer === undefined || integer < min || integer > max)
			return mismatch(walk, path, value, param);
		return formatUnitsExact(integer, walk.decimals ?? 0);
	}
	return typeof value === (type === 'bool' ? 'boolean' : type)
		? value
		: mismatch(walk, path, value, param);
}

function* decodeReturns(walk: Walk, answer: unknown, outputs: readonly ParamType[]): Steps {
	const [only, ...others] = outputs;
	const isOne = only !== undefined && others.length === 0;
	if (isOne && !hasNames(outputs)) return yield* decodeValue(walk, answer, only, 'value');
	const values = isOne ? [answer] : membersIn(answer, outputs);
	if (values !== undefined) return yield* decodeMembers(walk, values, outputs, 'value');
	walk.reason = `${quote(answer)} does not contain the ${outputs.length} declared values`;
	return undefined;
}

function* decodeInSteps(
	fn: ContractFunction,
	answer: unknown,
	options: DecodeOptions,
): Steps<DecodedAnswer> {
	if (fn.outputs.length === 0) return { isDecoded: true, value: bigNumbersToDecimal(answer) };
	const walk: Walk = { ...options };
	const value = yield* decodeReturns(walk, answer, fn.outputs);
	if (walk.reason === undefined) return { isDecoded: true, value };
	return { isDecoded: false, value: bigNumbersToDecimal(answer), reason: walk.reason };
}

/**
 * Decodes the `response` of a read with the return types of the function: integers (BigNumber objects, numbers or
 * strings) become decimal strings. Return values and tuple members become the fields of an object, unnamed ones by their
 * index; without any names, they become a list. A single unnamed return value becomes the value itself.
 *
 * An answer that does not match the types is returned complete, with the reason; only BigNumber objects become decimal
 * strings. Without declared return types, every answer matches and is returned in the same form.
 *
 * @example
 * decodeAnswer(parseSignature('getPoint() view returns (int256 x, int256 y)'), [{ type: 'BigNumber', hex: '-0x01' }, 2])
 * // { isDecoded: true, value: { x: '-1', y: '2' } }
 */
export function decodeAnswer(
	fn: ContractFunction,
	answer: unknown,
	options: DecodeOptions = {},
): DecodedAnswer {
	const steps = decodeInSteps(fn, answer, options);
	let step = steps.next();
	while (step.done !== true) step = steps.next();
	return step.value;
}

/**
 * Like {@link decodeAnswer}, for an answer of any length: n8n does other work meanwhile.
 *
 * @example
 * (await decodeInTurns(parseSignature('get() view returns (uint8[])'), [1, 2])).value // ['1', '2']
 */
export async function decodeInTurns(
	fn: ContractFunction,
	answer: unknown,
	options: DecodeOptions = {},
): Promise<DecodedAnswer> {
	const stretches = new Stretches(VALUES_AT_ONCE);
	const steps = decodeInSteps(fn, answer, options);
	let step = steps.next();
	for (; step.done !== true; step = steps.next()) await stretches.after();
	return step.value;
}
