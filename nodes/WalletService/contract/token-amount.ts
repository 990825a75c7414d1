import { foreignWords } from '../values/foreign-text';
import { InvalidInputError } from '../values/invalid-input';
import { atMostPlaces, decimalPlaces } from '../values/number-text';
import { quote } from '../values/quote';
import { isUnit, parseAmount, UNIT_DECIMALS } from '../values/units';

/** The word that stands for the token of the called contract, whatever its symbol is. */
const TOKEN_WORD = 'token';

/** An amount of tokens of the called contract, as it was written in an argument. */
export interface TokenAmount {
	readonly text: string;
	/** With a decimal point if there is a fraction. */
	readonly number: string;
	/** `token` or the symbol of a token; a unit of the native coin, or nothing, where one of these is to stand. */
	readonly unit: string;
}

/** What a contract says of itself as a token. */
export interface TokenFacts {
	readonly address: string;
	/** Absent when it names none, or was not asked. */
	readonly decimals?: number;
	readonly symbol?: string;
}

/** More digits than any amount or number of decimals can have. */
const NUMBER = '-?\\d{1,300}(?:\\.\\d{1,300})?';
const WITH_WORD = new RegExp(`^(${NUMBER})\\s*tokens?$`);
/** A symbol stands alone, so that `1e18` and `0x1f` hold none; it has a letter, and is no product. */
const WITH_SYMBOL = new RegExp(`^(${NUMBER})\\s+((?=\\S*\\p{L})[^\\s*]\\S{0,31})$`, 'u');
const WITH_NATIVE_UNIT = new RegExp(`^(${NUMBER})\\s*(wei|gwei|ether)$`);
const FRACTION_ALONE = /^(-?\d{1,300}\.\d{1,300})$/;

const placesOf = (number: string): number => number.split('.')[1]?.length ?? 0;

/**
 * The amount of tokens that a text says: with the word `token`, or with a symbol. `undefined` for everything else, units of
 * the native coin in any case of letters among it.
 *
 * @example readTokenAmount('12.5 SUSD') // { text: '12.5 SUSD', number: '12.5', unit: 'SUSD' }
 * @example readTokenAmount('12.5 ether') // undefined
 */
export function readTokenAmount(value: unknown): TokenAmount | undefined {
	const text = typeof value === 'string' ? value.trimStart() : '';
	const [, count] = WITH_WORD.exec(text) ?? [];
	if (count !== undefined) return { text, number: count, unit: TOKEN_WORD };
	const [, number, unit] = WITH_SYMBOL.exec(text) ?? [];
	if (number === undefined || unit === undefined || isUnit(unit.toLowerCase())) return undefined;
	return { text, number, unit };
}

/**
 * What is meant as an amount of tokens where nothing else can stand, but does not say so: a fraction without a unit, or with
 * one of the native coin. It is refused in words that name the token.
 *
 * @example readMistakenAmount('12.5') // { text: '12.5', number: '12.5', unit: '' }
 */
export function readMistakenAmount(value: unknown): TokenAmount | undefined {
	const text = typeof value === 'string' ? value.trimStart() : '';
	const [, number, unit = ''] = WITH_NATIVE_UNIT.exec(text) ?? FRACTION_ALONE.exec(text) ?? [];
	return number === undefined ? undefined : { text, number, unit };
}

/** What has to be asked of a contract to know an amount. */
export type TokenQuestion = 'decimals' | 'symbol' | 'symbol in words';

/**
 * What an amount depends on. A mistaken one only needs a word for its refusal.
 *
 * @example questionsOf({ text: '12.5 SUSD', number: '12.5', unit: 'SUSD' }) // ['decimals', 'symbol']
 */
export function questionsOf({ unit }: TokenAmount): TokenQuestion[] {
	if (unit === '' || isUnit(unit)) return ['symbol in words'];
	return ['decimals', unit === TOKEN_WORD ? 'symbol in words' : 'symbol'];
}

function refuse(path: string, { text }: TokenAmount, message: string, hint: string): never {
	throw new InvalidInputError({ parameter: path, value: text, message, hint });
}

/** Refuses what does not say that it is an amount of the token. */
function refuseMistaken(path: string, amount: TokenAmount, symbol: string | undefined): never {
	const { text, number, unit } = amount;
	const wholeTokens = `For ${number} ${foreignWords(symbol) || 'of this token'} write ${number} ${TOKEN_WORD}`;
	if (unit === '') {
		refuse(path, amount, `${quote(text)} has a decimal point but no unit`, wholeTokens);
	}
	const baseUnits =
		unit === 'wei' ? number : `${number} * 10^${isUnit(unit) ? UNIT_DECIMALS[unit] : 0}`;
	refuse(
		path,
		amount,
		`${quote(text)} is an amount of the native coin, but this one is of a token`,
		`${wholeTokens}, for base units ${baseUnits}`,
	);
}

/**
 * An amount of tokens in base units: exact, by the decimals that the contract names.
 *
 * @param path where the amount stands, for errors
 * @throws InvalidInputError for another symbol than the contract's, when the contract names none or no decimals, and for
 * more decimal places than it has.
 * @example tokensToBaseUnits(readTokenAmount('12.5 token'), { address: '0x12', decimals: 6 }, 'amount') // 12500000n
 */
export function tokensToBaseUnits(
	amount: TokenAmount,
	{ address, decimals, symbol }: TokenFacts,
	path: string,
): bigint {
	const { text, number, unit } = amount;
	if (unit === '' || isUnit(unit)) refuseMistaken(path, amount, symbol);
	if (unit !== TOKEN_WORD && symbol === undefined) {
		refuse(
			path,
			amount,
			`${quote(text)} names a symbol, and the contract ${address} names none`,
			`Check the address. For the contract's own decimals write ${number} ${TOKEN_WORD}, or name them: ${number} * 10^6`,
		);
	}
	if (unit !== TOKEN_WORD && unit !== symbol) {
		refuse(
			path,
			amount,
			`${quote(text)} is of another token: the contract ${address} has the symbol ${quote(symbol)}`,
			`Check the address, or write ${number} ${foreignWords(symbol) || TOKEN_WORD}`,
		);
	}
	if (decimals === undefined) {
		refuse(
			path,
			amount,
			`${quote(text)} cannot be counted: the contract ${address} names no decimals`,
			`Check the address. If the amount has decimals, name them: ${number} * 10^6 for 6; else give a whole number`,
		);
	}
	const places = placesOf(number);
	if (places > decimals) {
		refuse(
			path,
			amount,
			`${quote(text)} has ${decimalPlaces(places)}`,
			`${foreignWords(symbol) || 'This token'} has ${decimalPlaces(decimals)}: ${atMostPlaces(decimals)}, because an amount is never rounded`,
		);
	}
	return parseAmount(`${number} * 10^${decimals}`, { parameter: path });
}
