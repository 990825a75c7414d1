import { InvalidInputError } from './invalid-input';
import { quote } from './quote';

const MAX_DECIMALS = 255;

/**
 * The number of decimal places of an asset, which the service sends as the number 18 or the string "18"
 * (interface, section 2.3).
 *
 * @throws InvalidInputError unless it is a whole number from 0 to 255 (the uint8 of ERC-20's `decimals`).
 * @example parseDecimals('18') // 18
 */
export function parseDecimals(value: unknown, parameter = 'decimals'): number {
	const isText = typeof value === 'string' && /^\d{1,3}$/.test(value);
	const decimals = isText ? Number(value) : value;
	if (typeof decimals === 'number' && Number.isInteger(decimals)) {
		if (decimals >= 0 && decimals <= MAX_DECIMALS) return decimals;
	}
	throw new InvalidInputError({
		parameter,
		value,
		message: `${quote(value)} is not a number of decimal places`,
		hint: `Give a whole number from 0 to ${MAX_DECIMALS}`,
	});
}
