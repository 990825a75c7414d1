import type { ParamType } from 'ethers';

import { HEXADECIMAL, isMeantAsAddress, parseAddress } from '../values/address';
import { isBigNumber, parseBigNumber } from '../values/integers';
import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { Written } from '../values/amount';
import type { AmountForms } from '../values/computed-number';
import {
	assertOneUser,
	hintForUserId,
	isUserId,
	LONE_SURROGATE,
	withoutSeparators,
} from '../values/user-id';
import { inBaseUnits, readWritten, toBaseUnits } from '../values/amount';
import { partsOf } from './argument-parts';
import { ValueCount } from './value-count';
import { inShort, integerRange, isPermittedAmount } from './type-names';
import { isMistaken, isOfToken } from './token-amount';

/** A checked argument: integers as decimal strings, bytes and addresses as hexadecimal strings, tuples as lists. */
export type ArgumentValue = string | boolean | readonly ArgumentValue[];

/** Look-ups of users and token amounts among the arguments; `path` is for errors. */
export interface Resolve {
	/** Returns the wallet address of a user. */
	user(userId: string, path: Field): Promise<string>;
	/** Returns the base units of an amount in tokens of the called contract. */
	tokens(amount: Written, path: Field): Promise<bigint>;
	/** Returns whether the called contract is an NFT, by ERC-721; absent if it cannot be asked. */
	isNft?(): Promise<boolean>;
	/** Returns the total supply of a token, or of one of its kinds (ERC-6909); `undefined` if it cannot be read. */
	supply?(token: string | undefined, kind?: string): Promise<bigint | undefined>;
	/**
	 * Whether the node itself, not data or a model, contains a word that approves everything, for a write.
	 *
	 * @param path the positions of the argument, and of its part in lists and tuples; empty for the function
	 */
	isWritten?(word: ApprovingWord, path: readonly number[]): boolean;
}

export interface Argument {
	readonly value: unknown;
	readonly param: ParamType;
	/** The argument without its type: `recipients[2].amount`. Errors add the type. */
	readonly place: Field;
	/** Whether it is certainly a token amount, so that a unit of the native coin is a mistake. */
	readonly isTokenAmount?: boolean;
	/** Whether a token amount that is a whole number without a unit is refused: see `isMistaken`. */
	readonly needsUnit?: boolean;
	/** Whether it states how much someone may take, which can be `unlimited`. */
	readonly isAllowance?: boolean;
	/** Decimal places by which a number without a unit is scaled. */
	readonly scale?: number;
}

/** The word for an intended approval of every token. */
export const UNLIMITED = 'unlimited';

/** What approves everything: the word, a switch, or the function itself. */
export type ApprovingWord = typeof UNLIMITED | 'true' | 'function';

/** A field with an addition to its last name. */
const extend = (field: Field, addition: string): Field =>
	typeof field === 'string'
		? `${field}${addition}`
		: [...field.slice(0, -1), `${field.at(-1)}${addition}`];

type Wrong = (problem: string, hint: string) => never;

/** Examples of integers with units, for hints. */
const integerForms = (isTokenAmount: boolean): AmountForms =>
	isTokenAmount
		? (number) => `${number} token`
		: (number) =>
				`${number} ether, ${number} gwei, ${number} * 10^6 for 6 decimals, or ${number} token to use this contract's decimals`;

/** Converts an integer to base units, and returns the unit in which errors state its limits. */
async function baseUnitsOf(
	{ value, param: { type }, isTokenAmount = false, needsUnit, scale }: Argument,
	path: Field,
	resolve: Resolve,
): Promise<{ readonly amount: bigint; readonly counted?: string }> {
	if (isBigNumber(value)) return { amount: parseBigNumber(value) };
	const forms = integerForms(isTokenAmount);
	if (value === '') {
		const example = isTokenAmount ? `an amount, for example ${forms('12.5')}` : 'a whole number';
		refuse(path, 'The value is empty', `Enter ${example}`);
	}
	const written = readWritten(value, path, forms);
	if (scale !== undefined && written.unit === '') {
		return { amount: toBaseUnits(written, scale, path, `10^${scale}`) };
	}
	if (isOfToken(written) || (isTokenAmount && isMistaken(written, needsUnit))) {
		// A negative amount of an unsigned type is refused without a look-up.
		const isRefused = written.digits < 0n && type.startsWith('u');
		const amount = isRefused ? written.digits : await resolve.tokens(written, path);
		return { amount, counted: ' base units' };
	}
	return { amount: inBaseUnits(written, path, forms) };
}

async function integer(argument: Argument, path: Field, resolve: Resolve): Promise<string> {
	const { value, param, isAllowance } = argument;
	const { type } = param;
	const { min, max } = integerRange(type);
	if (isAllowance === true && value === UNLIMITED) return max.toString();
	const { amount, counted = '' } = await baseUnitsOf(argument, path, resolve);
	if (amount >= min && amount <= max) return amount.toString();
	const message = `${quote(value)} is ${amount < min ? 'below' : 'above'} the range of ${type}`;
	const limit = amount < min ? `${inShort(min)} or more` : `at most ${inShort(max)}${counted}`;
	return refuse(path, message, `Enter ${limit}`);
}

function boolean(value: unknown, wrong: Wrong): boolean {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === true || text === 'true') return true;
	if (text === false || text === 'false') return false;
	return wrong('is not a boolean', 'Enter true or false');
}

function bytes(value: unknown, type: string, wrong: Wrong): string {
	const hex = typeof value === 'string' ? value.trim() : '';
	const form = 'Enter 0x and two hexadecimal digits for each byte';
	if (!HEXADECIMAL.test(hex)) wrong('is not hexadecimal', form);
	const digits = hex.length - 2;
	const inPairs = 'Enter two digits for each byte: 0x0a, not 0xa';
	if (digits % 2 !== 0) wrong('has an odd number of hexadecimal digits', inPairs);
	const length = Number(type.slice('bytes'.length) || digits / 2);
	if (digits === length * 2) return hex;
	const problem = `has ${digits / 2} bytes instead of ${length}`;
	return wrong(problem, `Enter 0x and ${length * 2} hexadecimal digits`);
}

function text(value: unknown, wrong: Wrong): string {
	if (typeof value !== 'string') {
		return wrong('is not text', 'Enter text; in JSON, use double quotes');
	}
	if (!LONE_SURROGATE.test(value)) return value;
	const hint = 'Remove it: it cannot be encoded as UTF-8';
	return wrong('contains an invalid character', hint);
}

async function address(
	value: unknown,
	path: Field,
	resolve: Resolve,
	wrong: Wrong,
): Promise<string> {
	const trimmed = typeof value === 'string' ? withoutSeparators(value) : value;
	if (isUserId(trimmed)) {
		assertOneUser(trimmed, path);
		return parseAddress(await resolve.user(trimmed, path), path);
	}
	if (typeof trimmed !== 'string' || trimmed === '' || isMeantAsAddress(trimmed))
		return parseAddress(trimmed === '' ? value : trimmed, path);
	const hint = `${hintForUserId(value)}. A wallet address also works`;
	return wrong('is not an address', hint);
}

/**
 * Checks arguments in order against their types, at any depth, performs their look-ups, and returns them in canonical
 * form. Stops at the first mistake, without further look-ups.
 *
 * @throws InvalidInputError whose `parameter` is the exact place and type, `recipients[2].amount (uint96)`; whatever
 * `resolve` throws.
 * @example
 * const resolve = { user: async () => '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', tokens: async () => 12500000n };
 * const param = ParamType.from('uint96[]');
 * await checkArguments([{ value: [7, '2 gwei', '12.5 token'], param, place: 'amounts' }], resolve) // [['7', '2000000000', '12500000']]
 */
export async function checkArguments(
	args: readonly Argument[],
	resolve: Resolve,
	values = new ValueCount(),
): Promise<ArgumentValue[]> {
	const checked: ArgumentValue[] = [];
	for (const argument of args) checked.push(await checkArgument(argument, resolve, values));
	return checked;
}

async function checkArgument(
	argument: Argument,
	resolve: Resolve,
	values: ValueCount,
): Promise<ArgumentValue> {
	const { value, param, place } = argument;
	const path = extend(place, ` (${param.format('sighash')})`);
	if (param.isArray() || param.isTuple()) {
		const checked: ArgumentValue[] = [];
		// One by one: there can be more than may be checked.
		for (const { step, ...part } of partsOf(value, param, path)) {
			const isAllowance = isPermittedAmount(param, checked.length);
			const inner = { ...part, place: extend(place, step), isAllowance };
			checked.push(await checkArgument(inner, resolve, values));
		}
		return checked;
	}
	await values.add(path);
	const { type } = param;
	const wrong: Wrong = (problem, hint) => refuse(path, `${quote(value)} ${problem}`, hint);
	const isWord = argument.isAllowance === true && value === UNLIMITED;
	if (type === 'bool') return isWord || boolean(value, wrong);
	if (type === 'string') return text(value, wrong);
	if (type === 'address') return await address(value, path, resolve, wrong);
	if (type.startsWith('bytes')) return bytes(value, type, wrong);
	return await integer(argument, path, resolve);
}
