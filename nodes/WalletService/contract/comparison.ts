import type { ParamType } from 'ethers';

import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { isObject } from '../values/objects';
import type { Resolve } from './argument-value';
import { checkArguments } from './argument-value';
import { isHexadecimalType } from './decode';
import type { ContractFunction } from './function';
import type { TokenStandard } from './token-standards';
import { returnsTokenAmount } from './token-amount';

/** Relations between a value and an operand. */
export const COMPARISONS = ['atLeast', 'atMost', 'is', 'isNot'] as const;
export type ComparisonName = (typeof COMPARISONS)[number];

/**
 * The integer in an answer; `undefined` if it is not a single integer.
 *
 * @param answer decoded in comparable form
 * @example integerOf(parseSignature('decimals() view returns (uint8 places)'), { places: '6' }) // 6n
 */
export function integerOf(fn: ContractFunction, answer: unknown): bigint | undefined {
	const [output] = fn.outputs;
	const isOne = fn.outputs.length === 1 && output !== undefined && isInteger(output);
	return isOne ? BigInt(String(singleValue(answer))) : undefined;
}

/** A comparison as the user entered it. */
export interface GivenComparison {
	readonly name: ComparisonName;
	/** The value to compare with, as entered. */
	readonly operand: unknown;
	/** Decimal places by which integers of the output, and an operand without a unit, are scaled. */
	readonly decimals?: number;
	/**
	 * The standard of a function chosen from the list; absent for one entered by hand, where a plain number is in base
	 * units.
	 */
	readonly standard?: TokenStandard;
	readonly parameters: { readonly comparison: Field; readonly operand: Field };
}

const isInteger = ({ type }: ParamType): boolean => /int\d*$/.test(type);

/** The single value of an answer. A named value is the only field of an object. */
function singleValue(answer: unknown): unknown {
	return isObject(answer) ? Object.values(answer)[0] : answer;
}

/**
 * Refuses a function whose answers cannot be compared.
 *
 * @param parameter the parameter that needs the comparison, for errors
 * @throws InvalidInputError for a function without declared return types.
 * @example assertComparable(parseSignature('owner() view returns (address)'), 'condition') // undefined
 */
export function assertComparable(fn: ContractFunction, parameter: Field): void {
	if (fn.outputs.length > 0) return;
	const problem = `${fn.key} declares no return types, so its answers cannot be compared`;
	refuse(parameter, problem, 'Add return types, for example returns (uint256)');
}

/** Returns the type of a function's only return value. @throws InvalidInputError for several, a list or a tuple. */
function singleOutput(fn: ContractFunction, parameter: Field): ParamType {
	assertComparable(fn, parameter);
	const [only, ...others] = fn.outputs;
	if (only !== undefined && others.length === 0 && !only.isArray() && !only.isTuple()) return only;
	const what = others.length > 0 ? `${fn.outputs.length} values` : 'a list or a tuple';
	const problem = `${fn.key} returns ${what}, but only a single value can be compared`;
	const hint =
		'Choose a function that returns a single value; several values can only be checked for changes';
	return refuse(parameter, problem, hint);
}

function isAs(value: unknown, comparison: ComparisonName, other: unknown): boolean {
	if (comparison === 'is') return value === other;
	if (comparison === 'isNot') return value !== other;
	const [one, limit] = [BigInt(String(value)), BigInt(String(other))];
	return comparison === 'atLeast' ? one >= limit : one <= limit;
}

/**
 * Checks a comparison against the type that a function returns, and performs its look-ups.
 *
 * @param fn a function with declared return types
 * @returns a test for answers in comparable form (see `decodeAnswer`)
 * @throws InvalidInputError for a function without a single return value, an operand of another type, and *at least* or
 * *at most* for a value that is not a number; whatever `resolve` throws.
 * @example
 * const fn = parseSignature('totalSupply() view returns (uint256)');
 * const parameters = { comparison: 'condition', operand: 'value' };
 * const resolve = { user: async () => '0x', tokens: async () => 0n };
 * (await comparisonBy(fn, { name: 'atLeast', operand: '1.5 * 10^6', parameters }, resolve))('1500000') // true
 */
export async function comparisonBy(
	fn: ContractFunction,
	{ name, operand, decimals, standard, parameters }: GivenComparison,
	resolve: Resolve,
): Promise<(answer: unknown) => boolean> {
	const output = singleOutput(fn, parameters.comparison);
	if (!isInteger(output) && (name === 'atLeast' || name === 'atMost')) {
		const problem = `The function returns ${output.type}, which is not a number, so only equality can be checked`;
		refuse(parameters.comparison, problem, 'Choose Equals or Is Not');
	}
	const isEmpty = typeof operand === 'string' && operand.trim() === '';
	if (isEmpty || operand === undefined || operand === null) {
		const hint =
			'Enter a value of the type that the function returns: an amount such as 12.5 token, true, or an address';
		refuse(parameters.operand, 'The value to compare with is missing', hint);
	}
	const isTokenAmount = returnsTokenAmount(fn, standard);
	const needsUnit = standard !== undefined;
	const place = parameters.operand;
	const given = { value: operand, param: output, place, isTokenAmount, needsUnit, scale: decimals };
	const [checked] = await checkArguments([given], resolve);
	const other = isHexadecimalType(output) ? String(checked).toLowerCase() : checked;
	return (answer) => isAs(singleValue(answer), name, other);
}
