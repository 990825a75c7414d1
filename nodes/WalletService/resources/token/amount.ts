import { parseWholeAmount } from '../../values/decimal';
import { InvalidInputError } from '../../values/invalid-input';
import { atMostPlaces, decimalPlaces } from '../../values/number-text';
import { quote } from '../../values/quote';
import { parseUnitAmount } from '../../values/units';

const PARAMETER = 'amount';
const FRACTION = /\.(\d+)$/;

/** The largest amount of any token: uint256. */
export const MAX_BASE_UNITS = 2n ** 256n - 1n;

function refuse(value: unknown, message: string, hint: string): never {
	throw new InvalidInputError({ parameter: PARAMETER, value, message, hint });
}

/**
 * The text of an amount, which says a number of tokens and nothing else: no sign, no unit, no separators.
 *
 * @throws InvalidInputError for everything else; nothing is guessed, and nothing stands for 0.
 * @example amountText(' 12.5') // '12.5'
 */
export function amountText(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : value;
	if (text === '' || text === undefined || text === null) {
		refuse(value, 'No amount is given', 'Give the number of tokens, for example 12.5');
	}
	parseWholeAmount(value, PARAMETER);
	return String(text);
}

/** The unit in which an amount is written. */
interface AmountUnit {
	/** How it is called, for example `SUSD`. */
	readonly name: string;
	/** Decimal places that it has. */
	readonly decimals: number;
}

/**
 * An amount in base units: exact, never rounded.
 *
 * @param text see {@link amountText}
 * @throws InvalidInputError for 0, for more decimal places than the unit has, and for more than a contract can hold.
 * @example toBaseUnits('12.5', { name: 'SUSD', decimals: 6 }) // 12500000n
 */
export function toBaseUnits(text: string, { name, decimals }: AmountUnit): bigint {
	const given = FRACTION.exec(text)?.[1]?.length ?? 0;
	if (given > decimals) {
		refuse(
			text,
			`${quote(text)} has ${decimalPlaces(given)}`,
			`${name} has ${decimalPlaces(decimals)}: ${atMostPlaces(decimals)}`,
		);
	}
	const amount = parseUnitAmount(text, decimals, PARAMETER);
	if (amount === 0n) refuse(text, `${quote(text)} is nothing to send`, 'Give more than 0');
	if (amount > MAX_BASE_UNITS) {
		refuse(
			text,
			`${quote(text)} is more than a token contract can hold`,
			`Give at most 2^256 - 1 base units${decimals === 0 ? '' : `; ${name} has ${decimalPlaces(decimals)}`}`,
		);
	}
	return amount;
}
