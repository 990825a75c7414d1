import { foreignWords, quote } from '../values/quote';
import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { isUnit, toBaseUnits } from '../values/amount';
import { isMultiple } from '../values/notations';
import type { Written } from '../values/amount';
import type { ContractFunction } from './function';
import type { TokenStandard } from './token-standards';
import { knownFunction } from './token-standards';

/** The unit for the token of the called contract, independent of its symbol. */
export const TOKEN_WORD = 'token';

/** The facts that a contract reports about itself as a token. */
export interface TokenFacts {
	readonly address: string;
	/** Absent if the contract reports none or was not queried. */
	readonly decimals?: number;
	readonly symbol?: string;
	/** Whether the contract reported that it is an NFT, or a collection of items, which words about it then state. */
	readonly isStandardFound?: boolean;
}

/**
 * Whether the unit of a number is the word `token` or a symbol, so that it is an amount in tokens of the called contract.
 *
 * @example isOfToken(readWritten('12.5 SUSD')) // true
 * @example isOfToken(readWritten('12.5 ether')) // false
 */
export function isOfToken({ unit, decimals }: Written): boolean {
	// A symbol that could be a unit in upper case is not taken for either.
	const isUnclear = isUnit(unit.toLowerCase()) || /^base$/i.test(unit);
	return unit !== '' && decimals === undefined && !isUnclear;
}

/**
 * Whether a number for a token amount is a fraction without a unit (0.00 is none), or has a unit of the native coin.
 *
 * @param needsUnit whether this includes whole numbers without a unit, except 0 and hexadecimal numbers, because they
 * could mean whole tokens
 * @example isMistaken(readWritten('12.5')) // true
 * @example isMistaken(readWritten('12'), true) // true
 */
export function isMistaken(
	{ unit, decimals, digits, places }: Written,
	needsUnit = false,
): boolean {
	if (unit !== '') return isUnit(unit.toLowerCase());
	return digits !== 0n && (places > 0 || (needsUnit && decimals === undefined));
}

/**
 * Converts a token amount exactly to base units, using the contract's decimals.
 *
 * @param path the place of the amount, for errors
 * @throws InvalidInputError for a symbol other than the contract's, a contract without symbol or decimals, or too many
 * decimal places.
 * @example tokensToBaseUnits(readWritten('12.5 token'), { address: '0x12', decimals: 6 }, 'amount') // 12500000n
 */
export function tokensToBaseUnits(
	amount: Written,
	{ address, decimals, symbol }: TokenFacts,
	path: Field,
): bigint {
	const { text, number, unit } = amount;
	const fail: (problem: string, hint: string) => never = (problem, hint) =>
		refuse(path, `${quote(text)} ${problem}`, hint);
	const word = foreignWords(symbol) || undefined;
	if (isMistaken(amount, true)) {
		const hint = `For ${number} ${word ?? 'tokens'} write ${number} ${TOKEN_WORD}`;
		if (unit !== '') fail('is an amount of the native coin, not of a token', hint);
		if (amount.places > 0) {
			// With the unit it would be refused again.
			if (decimals !== undefined) toBaseUnits(amount, decimals, path, word ?? 'This token');
			fail('has a decimal point but no unit', hint);
		}
		const problem = 'could mean whole tokens or base units';
		fail(problem, `${hint}; for base units write ${number} base`);
	}
	if (isMultiple(unit) && unit.toLowerCase() !== symbol?.toLowerCase()) {
		const hint = `Write all digits of the number, and ${TOKEN_WORD} behind it`;
		fail(`ends with ${quote(unit)}, which could multiply the number`, hint);
	}
	if (unit !== TOKEN_WORD && symbol === undefined) {
		const hint = `Check the address. Write ${number} ${TOKEN_WORD} to use the contract's decimals, or ${number} * 10^6 for 6 decimals`;
		fail(`has a symbol, but the contract ${address} reports none of one word`, hint);
	}
	if (unit !== TOKEN_WORD && symbol !== undefined && unit.toLowerCase() !== symbol.toLowerCase()) {
		const problem = `is an amount of another token: the contract ${address} has the symbol ${quote(symbol)}`;
		// A symbol without a letter, or that is a unit, would be refused again.
		const isReadable = /^[^*]*\p{L}/u.test(symbol) && isOfToken({ ...amount, unit: symbol });
		const meant = isReadable && word === symbol ? word : TOKEN_WORD;
		fail(problem, `Check the address, or write ${number} ${meant}`);
	}
	if (decimals === undefined) {
		const hint = `Check the address. Write ${number} * 10^6 for 6 decimals, or enter a whole number of base units`;
		fail(`cannot be converted: the contract ${address} reports no decimals`, hint);
	}
	return toBaseUnits(amount, decimals, path, word ?? 'This token');
}

/**
 * Whether a function returns an amount of the contract's tokens; a unit of the native coin is a mistake there.
 *
 * @param standard the standard of the function, if known: ERC-721 also has a `balanceOf`
 * @example returnsTokenAmount(parseSignature('totalSupply() view returns (uint256)')) // true
 */
export function returnsTokenAmount(
	fn: ContractFunction,
	standard: TokenStandard = 'erc20',
): boolean {
	const [output] = knownFunction(fn.key, 'erc20')?.fn.outputs ?? [];
	return standard === 'erc20' && output?.type === 'uint256';
}
