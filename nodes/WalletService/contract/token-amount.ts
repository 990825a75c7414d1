import { foreignWords, quote } from '../values/quote';
import { refuse } from '../values/invalid-input';
import { isUnit, toBaseUnits } from '../values/amount';
import type { Written } from '../values/amount';

/** The word that stands for the token of the called contract, whatever its symbol is. */
export const TOKEN_WORD = 'token';

/** What a contract says of itself as a token. */
export interface TokenFacts {
	readonly address: string;
	/** Absent when it names none, or was not asked. */
	readonly decimals?: number;
	readonly symbol?: string;
}

/**
 * Whether a number is an amount of tokens of the called contract: it has the word `token`, or a symbol.
 *
 * @example isOfToken(readWritten('12.5 SUSD')) // true
 * @example isOfToken(readWritten('12.5 ether')) // false
 */
export function isOfToken({ unit, decimals }: Written): boolean {
	return unit !== '' && decimals === undefined && !isUnit(unit.toLowerCase());
}

/**
 * Whether a number is meant as an amount of tokens where nothing else can stand, but does not say so: a fraction without a
 * unit, or with one of the native coin. It is refused in words that name the token.
 *
 * @param needsUnit whether a whole number is refused as well, because whole tokens may be meant; 0 and hexadecimal never are
 * @example isMistaken(readWritten('12.5')) // true
 * @example isMistaken(readWritten('12'), true) // true
 */
export function isMistaken(
	{ unit, decimals, digits, places }: Written,
	needsUnit = false,
): boolean {
	if (unit !== '') return isUnit(unit);
	return places > 0 || (needsUnit && decimals === undefined && digits !== 0n);
}

/**
 * An amount of tokens in base units: exact, by the decimals that the contract names.
 *
 * @param path where the amount stands, for errors
 * @throws InvalidInputError for another symbol than the contract's, when the contract names none or no decimals, and for
 * more decimal places than it has.
 * @example tokensToBaseUnits(readWritten('12.5 token'), { address: '0x12', decimals: 6 }, 'amount') // 12500000n
 */
export function tokensToBaseUnits(
	amount: Written,
	{ address, decimals, symbol }: TokenFacts,
	path: string,
): bigint {
	const { text, number, unit } = amount;
	const fail: (problem: string, hint: string) => never = (problem, hint) =>
		refuse(path, text, `${quote(text)} ${problem}`, hint);
	const word = foreignWords(symbol) || undefined;
	if (isMistaken(amount, true)) {
		const hint = `For ${number} ${word ?? 'tokens'} write ${number} ${TOKEN_WORD}`;
		if (unit !== '') fail('is an amount of the native coin, but this one is of a token', hint);
		if (amount.places > 0) fail('has a decimal point but no unit', hint);
		const problem = 'does not say whether it counts tokens or base units';
		fail(problem, `${hint}; for base units write ${number} base`);
	}
	if (unit !== TOKEN_WORD && symbol === undefined) {
		const hint = `Check the address. For the contract's own decimals write ${number} ${TOKEN_WORD}, or name them: ${number} * 10^6`;
		fail(`names a symbol, and the contract ${address} names none`, hint);
	}
	if (unit !== TOKEN_WORD && unit !== symbol) {
		const problem = `is of another token: the contract ${address} has the symbol ${quote(symbol)}`;
		fail(problem, `Check the address, or write ${number} ${word ?? TOKEN_WORD}`);
	}
	if (decimals === undefined) {
		const hint = `Check the address. If the amount has decimals, name them: ${number} * 10^6 for 6; else give a whole number`;
		fail(`cannot be counted: the contract ${address} names no decimals`, hint);
	}
	return toBaseUnits(amount, decimals, path, word ?? 'This token');
}
