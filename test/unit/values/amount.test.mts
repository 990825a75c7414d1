import fc from 'fast-check';

import {
	inBaseUnits,
	NATIVE_FORMS,
	readWritten,
	toBaseUnits,
} from '../../../nodes/WalletService/values/amount.ts';
import type { AmountForms } from '../../../nodes/WalletService/values/amount.ts';
import { formatUnitsExact } from '../../../nodes/WalletService/values/decimal.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';

const parse = (value: unknown, forms: AmountForms = NATIVE_FORMS): bigint =>
	inBaseUnits(readWritten(value, 'amount', forms), 'amount', forms);

describe('readWritten', () => {
	it.each([
		['12.50 SUSD', { number: '12.50', digits: 1250n, places: 2, unit: 'SUSD' }],
		['-3  tokens', { number: '-3', digits: -3n, places: 0, unit: 'token' }],
		['1.5 ether', { number: '1.5', digits: 15n, places: 1, unit: 'ether', decimals: 18 }],
		['1.5*10^06', { number: '1.5', digits: 15n, places: 1, unit: '10^06', decimals: 6 }],
		['\n -0x10', { number: '-0x10', digits: -16n, places: 0, unit: '', decimals: 0 }],
		// Symbols, not units.
		['5 0x', { number: '5', digits: 5n, places: 0, unit: '0x' }],
		['5 10^a', { number: '5', digits: 5n, places: 0, unit: '10^a' }],
		['5 Ether', { number: '5', digits: 5n, places: 0, unit: 'Ether' }],
	])('reads %p', (text, expected) => {
		expect(readWritten(text, 'amount')).toEqual({ text: text.trimStart(), ...expected });
	});
});

describe('base units', () => {
	it.each([
		['1500000', 1500000n],
		['\n 1500000', 1500000n],
		['-5', -5n],
		['0x16e360', 1500000n],
		[42, 42n],
		[10n ** 30n, 10n ** 30n],
		['1.5 ether', 1500000000000000000n],
		['1.5ether', 1500000000000000000n],
		['20 gwei', 20000000000n],
		['0.000000001 gwei', 1n],
		['7 wei', 7n],
		['1.5 * 10^6', 1500000n],
		['1.5*10^6', 1500000n],
		['2 * 10 ^ 0', 2n],
		['-0.5 ether', -500000000000000000n],
	])('reads %p', (text, expected) => {
		expect(parse(text)).toBe(expected);
	});

	it.each([
		['1.5', /decimal point but no unit/],
		['100.0', /decimal point but no unit/],
		['1.5 wei', /has 1 decimal place$/],
		['1.0000000001 gwei', /has 10 decimal places$/],
		['1.5555555 * 10^6', /has 7 decimal places/],
		['1.0 * 10^0', /has 1 decimal place$/],
		[1.5, /with a fraction/],
		[2 ** 53, /beyond 2\^53/],
		[1e30, /beyond 2\^53/],
		[Number.NaN, /"NaN" is not an amount/],
		['', /No amount is given/],
		['1,000', /has a comma/],
		['1e18', /is not an amount/],
		['1_000', /is not an amount/],
		['.5 ether', /is not an amount/],
		['5. ether', /is not an amount/],
		['1 eth', /is not an amount/],
		['1 Ether', /is not an amount/],
		['0x10 gwei', /is not an amount/],
		['ether', /is not an amount/],
		['1 ether gwei', /is not an amount/],
		['0x', /is not an amount/],
		[null, /No amount is given/],
		[true, /is not an amount/],
		[[1], /is not an amount/],
	])('refuses %p', (text, message) => {
		expect(() => parse(text)).toThrow(message);
		expect(() => parse(text)).toThrow(
			expect.objectContaining({ name: 'InvalidInputError', parameter: 'amount' }),
		);
	});

	it('refuses more characters than any amount has', () => {
		expect(parse('9'.repeat(1000))).toBe(10n ** 1000n - 1n);
		expect(() => parse('9'.repeat(1001))).toThrow(
			expect.objectContaining({
				name: 'InvalidInputError',
				parameter: 'amount',
				message: expect.stringMatching(/ has 1001 characters$/),
			}),
		);
		expect(() => parse(`0.${'0'.repeat(5_000_000)}`)).toThrow(/5000002 characters/);
	});

	it.each([
		['12.5', 'Say which unit is meant: 12.5 ether or 12.5 gwei'],
		['12,5', 'Write a decimal point, not a comma: 12.5 ether or 12.5 gwei'],
		['0,1 ether', 'Write a decimal point, not a comma: 0.1 ether'],
		['-0,1ether', 'Write a decimal point, not a comma: -0.1ether'],
		['1,5 * 10^6', 'Write a decimal point, not a comma: 1.5 * 10^6'],
		['1,000.50', 'Write a decimal point, and no other separators: 1000.50 ether or 1000.50 gwei'],
		['1,000,000', 'Write a decimal point, and no other separators: 1000000 ether or 1000000 gwei'],
		['1.000,50', 'Write a decimal point, and no other separators: 1000.50 ether or 1000.50 gwei'],
		['1 Ether', 'Write the unit in lower case: 1 ether'],
		['5 eth', 'a unit if there is a fraction: 5 ether or 5 gwei'],
		// Not the number that they begin with.
		['1e18', 'a unit if there is a fraction: 12.5 ether or 12.5 gwei'],
		['0x10 gwei', 'a unit if there is a fraction: 12.5 ether or 12.5 gwei'],
		[
			'1.5 wei',
			'wei has no decimal places: give a whole number, because an amount is never rounded',
		],
		['1.23 * 10^1', '10^1 has 1 decimal place: give at most 1, because an amount is never rounded'],
		[12.5, 'in a table a text column, for example 12.5 ether or 12.5 gwei'],
	])('says of %p: %s', (text, hint) => {
		expect(() => parse(text)).toThrow(
			expect.objectContaining({ hint: expect.stringContaining(hint) }),
		);
	});

	it('takes other words for a place where amounts are written otherwise', () => {
		const forms = (number: string) => `${number} token`;
		expect(() => parse('12,5', forms)).toThrow(
			expect.objectContaining({ hint: 'Write a decimal point, not a comma: 12.5 token' }),
		);
	});
});

const places = fc.integer({ min: 0, max: 77 });
const digits = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const power = (exponent: number): bigint => 10n ** BigInt(exponent);

it('an amount comes back exactly, whatever unit it is written in', () => {
	fc.assert(
		fc.property(digits, places, (value, decimals) => {
			expect(parse(`${formatUnitsExact(value, decimals)} * 10^${decimals}`)).toBe(value);
		}),
	);
});

it('base units are what BigInt says, or refused', () => {
	fc.assert(
		fc.property(digits, places, places, (one, own, decimals) => {
			const convert = () => toBaseUnits({ digits: one, places: own }, decimals, 'threshold');
			if (own <= decimals) expect(convert()).toBe(one * power(decimals - own));
			else expect(convert).toThrow(InvalidInputError);
		}),
	);
});

it('an amount that is refused is named, with the places it may have', () => {
	const convert = () => toBaseUnits({ digits: 12_345n, places: 3 }, 2, 'threshold');
	expect(convert).toThrow('"12.345" has 3 decimal places');
	const hints = [2, 1, 0].map((decimals) => {
		const refused = () => toBaseUnits({ digits: 12_345n, places: 3 }, decimals, 'threshold');
		try {
			return refused();
		} catch (error) {
			return (error as InvalidInputError).hint;
		}
	});
	expect(hints).toEqual([
		'The coin or token has 2 decimal places: give at most 2, because an amount is never rounded',
		'The coin or token has 1 decimal place: give at most 1, because an amount is never rounded',
		'The coin or token has no decimal places: give a whole number, because an amount is never rounded',
	]);
});
