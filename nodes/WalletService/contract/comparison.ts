import type { ParamType } from 'ethers';

import { InvalidInputError } from '../values/invalid-input';
import { isObject } from '../values/objects';
import { quote } from '../values/quote';
import { checkArgument } from './argument-value';
import type { Known, LookUps } from './arguments';
import { lookUpsOf, resolveBy } from './arguments';
import type { DecodedAnswer } from './decode';
import { decodeAnswer, isHexadecimalType } from './decode';
import type { ContractFunction } from './function';
import { functionKey } from './function';
import { returnsTokenAmount } from './token-standards';

/** How a value may stand to one that is given. */
export const COMPARISONS = ['atLeast', 'atMost', 'is', 'isNot'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/**
 * The number that an answer is; `undefined` when it is none.
 *
 * @param answer as `comparableAnswer` gives it
 * @example integerOf(parseSignature('decimals() view returns (uint8 places)'), { places: '6' }) // 6n
 */
export function integerOf(fn: ContractFunction, answer: unknown): bigint | undefined {
	const [output] = fn.outputs;
	const isOne = fn.outputs.length === 1 && output !== undefined && isInteger(output);
	return isOne ? BigInt(String(singleValue(answer))) : undefined;
}

/** A comparison as the user gave it. */
export interface GivenComparison {
	readonly comparison: Comparison;
	/** What the value is compared with, as it was entered. */
	readonly operand: unknown;
	/** Decimal places by which integers of the output are scaled: a number without a unit is one of the output then. */
	readonly decimals?: number;
	/** What errors call the comparison and the operand. */
	readonly parameters: { readonly comparison: string; readonly operand: string };
}

/** A checked comparison, for which something may still have to be looked up. */
export interface PlannedComparison {
	readonly lookUps: LookUps;
	/**
	 * Whether an answer, as `comparableAnswer` gives it, is as wanted.
	 *
	 * @throws InvalidInputError for an unknown user, and for an amount that is not one of the contract.
	 */
	readonly complete: (known: Known) => (answer: unknown) => boolean;
}

const isInteger = ({ type }: ParamType): boolean => /^u?int\d*$/.test(type);

/** The one value of an answer: a return value with a name is the only field of an object. */
function singleValue(answer: unknown): unknown {
	return isObject(answer) ? Object.values(answer)[0] : answer;
}

/**
 * Refuses a function of whose answers nobody can say whether two are equal.
 *
 * @param parameter what errors call that for which it has to be known
 * @throws InvalidInputError unless the function declares what it returns.
 * @example assertComparable(parseSignature('owner() view returns (address)'), 'condition') // undefined
 */
export function assertComparable(fn: ContractFunction, parameter: string): void {
	if (fn.outputs.length > 0) return;
	throw new InvalidInputError({
		parameter,
		value: functionKey(fn),
		message: `${functionKey(fn)} declares no return types, so that nobody knows what to compare`,
		hint: 'Add them to the function, for example returns (uint256)',
	});
}

/** The one value that a function returns. @throws InvalidInputError when it returns several, a list or a tuple. */
function singleOutput(fn: ContractFunction, parameter: string): ParamType {
	assertComparable(fn, parameter);
	const [only, ...others] = fn.outputs;
	if (only !== undefined && others.length === 0 && !only.isArray() && !only.isTuple()) return only;
	const what = others.length > 0 ? `${fn.outputs.length} values` : 'a list or a tuple';
	throw new InvalidInputError({
		parameter,
		value: functionKey(fn),
		message: `${functionKey(fn)} returns ${what}, of which none is named to be compared`,
		hint: 'Choose a function that returns a single value; several can only be watched for a change',
	});
}

function assertGiven(operand: unknown, parameter: string): void {
	const isText = typeof operand === 'string';
	if (operand !== undefined && operand !== null && (!isText || operand.trim() !== '')) return;
	throw new InvalidInputError({
		parameter,
		value: operand,
		message: 'Nothing is given to compare with',
		hint: 'Give a value of the type that the function returns: an amount such as 12.5 token, true, or an address',
	});
}

function assertOrdered(output: ParamType, comparison: Comparison, parameter: string): void {
	if (isInteger(output) || comparison === 'is' || comparison === 'isNot') return;
	throw new InvalidInputError({
		parameter,
		value: comparison,
		message: `The function returns ${output.type}, which is no number, so it is neither more nor less than something`,
		hint: 'Compare with Is or Is Not',
	});
}

function compare(value: unknown, comparison: Comparison, other: unknown): boolean {
	switch (comparison) {
		case 'is':
			return value === other;
		case 'isNot':
			return value !== other;
		case 'atLeast':
			return BigInt(String(value)) >= BigInt(String(other));
		case 'atMost':
			return BigInt(String(value)) <= BigInt(String(other));
	}
}

/**
 * The answer of a read in a form in which equal answers are equal: integers as decimal text in base units, addresses and
 * bytes in lower case.
 *
 * @example comparableAnswer(parseSignature('owner() view returns (address)'), '0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045').value // '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
 */
export function comparableAnswer(fn: ContractFunction, answer: unknown): DecodedAnswer {
	return decodeAnswer(fn, answer, { inLowerCase: true });
}

/**
 * Checks a comparison against the type that a function returns.
 *
 * @param fn declares the types that it returns
 * @throws InvalidInputError for a function that returns no single value, a value that is not of its type, and *at least* or
 * *at most* of what is no number.
 * @example
 * const fn = parseSignature('totalSupply() view returns (uint256)');
 * const parameters = { comparison: 'condition', operand: 'value' };
 * planComparison(fn, { comparison: 'atLeast', operand: '1.5 * 10^6', parameters }).complete({})('1500000') // true
 */
export function planComparison(fn: ContractFunction, given: GivenComparison): PlannedComparison {
	const { comparison, operand, decimals: scale, parameters } = given;
	const output = singleOutput(fn, parameters.comparison);
	assertOrdered(output, comparison, parameters.comparison);
	assertGiven(operand, parameters.operand);
	const place = { place: parameters.operand, isTokenAmount: returnsTokenAmount(fn), scale };
	return {
		lookUps: lookUpsOf((resolve) => void checkArgument(operand, output, place, resolve)),
		complete(known) {
			const checked = checkArgument(operand, output, place, resolveBy(known));
			const other = isHexadecimalType(output) ? String(checked).toLowerCase() : checked;
			return (answer) => compare(singleValue(answer), comparison, other);
		},
	};
}

/**
 * A comparison in words, behind *is* or *is not*.
 *
 * @example comparisonInWords('atLeast', '12.5 token') // 'at least "12.5 token"'
 */
export function comparisonInWords(comparison: Comparison, operand: unknown): string {
	const words = { atLeast: 'at least ', atMost: 'at most ', is: '', isNot: 'other than ' };
	return `${words[comparison]}${quote(operand)}`;
}
