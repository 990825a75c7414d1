import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

/**
 * Reads a count: a whole number from 1, also as a string of digits.
 *
 * @throws InvalidInputError that names `parameter`, for anything else, including an absent value, NaN, 0 and fractions.
 * @example parseCount('10', 'limit') // 10
 */
export function parseCount(value: unknown, parameter: string): number {
	const isDigits = typeof value === 'string' && /^\d+$/.test(value.trim());
	const count = isDigits ? Number(value) : value;
	if (typeof count === 'number' && Number.isInteger(count) && count >= 1) return count;
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quoteCount(value)} is not a whole number from 1`,
		hint: 'Give 1 or more, without a fraction',
	});
}

/** JSON cannot represent NaN and Infinity. */
function quoteCount(value: unknown): string {
	return typeof value === 'number' ? String(value) : quote(value);
}
