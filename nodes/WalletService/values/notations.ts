/** Zeros of the decimal digits that people write amounts with, beside those that normalization makes 0 to 9. */
const ZEROS = '٠۰०০੦૦୦௦౦೦൦๐໐༠၀០᠐';
const ANY_DIGIT = /\p{Nd}/gu;
const MINUS = /^[\u2010-\u2015\u2212\u2796]/;

function digitOf(character: string): string {
	const code = character.codePointAt(0) ?? 0;
	const zero = Array.from(ZEROS, (one) => one.codePointAt(0) ?? 0).find(
		(first) => code >= first && code < first + 10,
	);
	return zero === undefined ? character : String(code - zero);
}

/** Writes the digits and signs of other languages, keyboards and word processors as those of programs. */
function inPlainSigns(text: string): string {
	return text
		.normalize('NFKC')
		.replace(ANY_DIGIT, digitOf)
		.replace(MINUS, '-')
		.replaceAll('\u066b', '.')
		.replace(/[\u2019\u02bc\u066c`\u00b4]/g, "'")
		.replace(/\s/g, ' ');
}

/** A number with any separators between its digits, its exponent, and a currency or unit behind or before it. */
const NOTATION =
	/^(?:\p{Sc} ?)?([+-]?[.,]?\d+(?:[.,'_ ]\d+)*[.,]?)(?:e([+-]?\d+))?( ?(?:[\p{L}*]|\p{Sc}$)[^]*)?$/iu;

/**
 * Splits an amount in another notation into its number, exponent and unit; empty texts if it is none.
 *
 * @example partsOfNotation('1\u00a0000,5 SUSD') // { number: '1 000,5', exponent: undefined, unit: ' SUSD' }
 */
export function partsOfNotation(text: string): {
	readonly number: string;
	readonly exponent: string | undefined;
	readonly unit: string;
} {
	// A raised 2 would become a digit.
	const read = /\p{No}/u.test(text) ? '' : inPlainSigns(text);
	const [, number = '', exponent, unit = ''] = NOTATION.exec(read) ?? [];
	return { number, exponent, unit };
}

/** Words that multiply the number before them, in the languages of most keyboards. Some are symbols of tokens, too. */
const MULTIPLE =
	/^\s*(?:[kmbtg]|mm|[mbt]n|mio|ml[nd]|mlrd|mrd|tsd|thsd|la(?:kh|c)s?|cr|crores?|hundred|thousand|tausend|mille?|milliers?|mila|(?:m|b|tr)il[lh]?[ijoõ](?:\p{L}*)|milh\p{L}+|тыс\p{L}*|млн|млрд|миллион\p{L}*|миллиард\p{L}*|[百千万萬亿億兆만억천].*)(?![\p{L}\p{N}])/iu;

/**
 * Whether what follows a number could multiply it: 1.5k is not 1.5.
 *
 * @example isMultiple(' million SUSD') // true
 * @example isMultiple('SUSD') // false
 */
export const isMultiple = (unit: string): boolean => MULTIPLE.test(unit);

/** Whether a number has a separator that is neither a point nor a comma. @example isSpaced('1 000') // true */
export const isSpaced = (number: string): boolean => /[' _]/.test(number);

/**
 * Whether an amount has a minus sign, or a dash in place of one.
 *
 * @example beginsWithMinus('\u22125') // true
 */
export const beginsWithMinus = (text: string): boolean =>
	/^-[\d.,]/.test(inPlainSigns(text.trimStart().slice(0, 2)));

/** Groups of three digits, or of two before the last three, as in India. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/;
const FRACTION = /^(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/;
const SPACED = /^[1-9]\d{0,2}([' _])\d{3}(?:\1\d{3})*(?:[.,]\d+)?$/;
const POINTED = /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/;
const PLAIN_DECIMAL = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * The possible meanings of a number, in plain digits: 1,000 can mean one thousand or one. Nothing is guessed: they are
 * proposals.
 *
 * @example meaningsOf("1'000.50") // ['1000.50']
 * @example meaningsOf('1,000') // ['1000', '1.000']
 * @example meaningsOf('1 00') // []
 */
export function meaningsOf(number: string): string[] {
	const [, sign = '', digits = ''] = /^([+-]?)(.*)$/.exec(number) ?? [];
	const meanings = [
		...(PLAIN_DECIMAL.test(digits) ? [digits] : []),
		...(GROUPED.test(digits) ? [digits.replaceAll(',', '')] : []),
		...(FRACTION.test(digits) ? [digits.replaceAll('.', '').replace(',', '.')] : []),
		...(SPACED.test(digits) ? [digits.replace(/[' _]/g, '').replace(',', '.')] : []),
		...(POINTED.test(digits) ? [digits.replaceAll('.', '')] : []),
	];
	return meanings.map((meaning) => `${sign === '-' ? sign : ''}${meaning}`);
}
