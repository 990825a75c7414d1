import { quote } from './quote';

/** What is wrong with a text that was meant as a number, and what would be right. */
export interface Explanation {
	readonly message: string;
	readonly hint: string;
}

/** A number with a comma, and what stands behind it. */
const WITH_COMMA = /^(-?\d{1,80}),(\d{1,80})(\s*[^\s\d.,][^]{0,40})?$/;
/** 1,000,000 or 1,000.50 */
const POINT_AND_COMMAS = /^(-?\d{1,3}(?:,\d{3}){1,30})(\.\d{1,80})?$/;
/** 1.000,50 */
const COMMA_AND_POINTS = /^(-?\d{1,3}(?:\.\d{3}){1,30}),(\d{1,80})$/;

/**
 * What is wrong with a number that is written with commas; `undefined` if that is not what is wrong.
 *
 * @param write how an amount is written in that place, given its number
 * @example explainCommas('12,5')?.hint // 'Write a decimal point, not a comma: 12.5'
 */
export function explainCommas(
	text: string,
	write: (number: string) => string = (number) => number,
): Explanation | undefined {
	const message = `${quote(text)} has a comma`;
	const [, whole, fraction, unit = ''] = WITH_COMMA.exec(text) ?? [];
	if (whole !== undefined && fraction !== undefined) {
		const written = (number: string) => (unit === '' ? write(number) : `${number}${unit}`);
		// 1,000 is a thousand to some, and one to others.
		const either = fraction.length === 3 ? `${written(`${whole}${fraction}`)} or ` : '';
		const hint = `Write a decimal point, not a comma: ${either}${written(`${whole}.${fraction}`)}`;
		return { message, hint };
	}
	const [, commas, rest = ''] = POINT_AND_COMMAS.exec(text) ?? [];
	const [, points, behind = ''] = COMMA_AND_POINTS.exec(text) ?? [];
	const plain =
		commas === undefined
			? points && `${points.replaceAll('.', '')}.${behind}`
			: `${commas.replaceAll(',', '')}${rest}`;
	if (plain === undefined) return undefined;
	return { message, hint: `Write a decimal point, and no other separators: ${write(plain)}` };
}

/**
 * What is wrong with an amount that ends in white space, which an expression leaves whose unit gives nothing; `undefined` if that
 * is not what is wrong.
 *
 * @example explainEnd('1000 ')?.message // '"1000 " ends in white space, as if a unit were missing'
 */
export function explainEnd(text: string): Explanation | undefined {
	if (text === text.trimEnd()) return undefined;
	return {
		message: `${quote(text)} ends in white space, as if a unit were missing`,
		hint: 'Check the expression: the unit in it may give nothing. If none is meant, remove the white space',
	};
}

/**
 * What is wrong with a JSON number that is not exact.
 *
 * @example explainNumber(12.5).message // '12.5 comes as a number with a fraction, which a computer holds only approximately'
 */
export function explainNumber(value: number): Explanation {
	const reason = Number.isInteger(value)
		? 'lies beyond 2^53, where a JSON number has already lost its last digits'
		: 'comes as a number with a fraction, which a computer holds only approximately';
	const hint =
		'Give it as text: in JSON in quotes, in an expression {{ String(...) }} around it, in a table a text column';
	return { message: `${value} ${reason}`, hint };
}

/**
 * Decimal places in words.
 *
 * @example decimalPlaces(1) // '1 decimal place'
 */
export function decimalPlaces(count: number): string {
	if (count === 0) return 'no decimal places';
	return `${count} decimal place${count === 1 ? '' : 's'}`;
}

/**
 * How many decimal places an amount may have, as a hint.
 *
 * @example atMostPlaces(0) // 'give a whole number'
 */
export function atMostPlaces(count: number): string {
	return count === 0 ? 'give a whole number' : `give at most ${count}`;
}
