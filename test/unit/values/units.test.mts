import { formatUnits, parseUnits } from 'ethers';
import fc from 'fast-check';

import { parseDecimals } from '../../../nodes/WalletService/values/decimals.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import {
	formatUnitsExact,
	parseAmount,
	parseUnitAmount,
	UNIT_DECIMALS,
} from '../../../nodes/WalletService/values/units.ts';

const integer = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n - 1n });

describe('formatUnitsExact', () => {
	it.each([
		[1500000n, 6, '1.5'],
		[1n, 6, '0.000001'],
		[1000000n, 6, '1'],
		[0n, 18, '0'],
		[-1n, 18, '-0.000000000000000001'],
		[-1500n, 3, '-1.5'],
		[123n, 0, '123'],
		[120n, 0, '120'],
		[
			2n ** 256n - 1n,
			18,
			'115792089237316195423570985008687907853269984665640564039457.584007913129639935',
		],
		[1n, 255, `0.${'0'.repeat(254)}1`],
	])('%s with %i decimals is %s', (value, decimals, expected) => {
		expect(formatUnitsExact(value, decimals)).toBe(expected);
	});

	it('agrees with ethers and comes back exactly', () => {
		fc.assert(
			fc.property(integer, fc.integer({ min: 0, max: 77 }), (value, decimals) => {
				const formatted = formatUnitsExact(value, decimals);
				expect(formatUnits(value, decimals).replace(/\.0$/, '')).toBe(formatted);
				expect(parseUnits(formatted, decimals)).toBe(value);
				expect(parseAmount(`${formatted} * 10^${decimals}`)).toBe(value);
			}),
		);
	});
});

describe('parseAmount', () => {
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
		expect(parseAmount(text, { parameter: 'amount' })).toBe(expected);
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
		[Number.NaN, /fraction/],
		['', /is not an amount/],
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
		[null, /is not an amount/],
		[true, /is not an amount/],
		[[1], /is not an amount/],
	])('refuses %p', (text, message) => {
		expect(() => parseAmount(text, { parameter: 'amount' })).toThrow(message);
		expect(() => parseAmount(text, { parameter: 'amount' })).toThrow(
			expect.objectContaining({ name: 'InvalidInputError', parameter: 'amount', value: text }),
		);
	});

	it('refuses more characters than any amount has', () => {
		expect(parseAmount('9'.repeat(1000))).toBe(10n ** 1000n - 1n);
		expect(() => parseAmount('9'.repeat(1001), { parameter: 'amount' })).toThrow(
			expect.objectContaining({
				name: 'InvalidInputError',
				parameter: 'amount',
				message: expect.stringMatching(/ has 1001 characters$/),
			}),
		);
		expect(() => parseUnitAmount(`0.${'0'.repeat(5_000_000)}`, 18)).toThrow(/5000002 characters/);
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
		['1e18', 'a unit if there is a fraction: 1.5 ether or 1.5 gwei'],
		['0x10 gwei', 'a unit if there is a fraction: 1.5 ether or 1.5 gwei'],
		[
			'1.5 wei',
			'wei has no decimal places: give a whole number, because an amount is never rounded',
		],
		['1.23 * 10^1', '10^1 has 1 decimal place: give at most 1, because an amount is never rounded'],
		[12.5, 'in a table a text column. For example 12.5 ether or 12.5 gwei'],
	])('says of %p: %s', (text, hint) => {
		expect(() => parseAmount(text)).toThrow(
			expect.objectContaining({ hint: expect.stringContaining(hint) }),
		);
	});

	it('takes other words for a place where amounts are written otherwise', () => {
		const forms = (number: string) => `${number} token`;
		expect(() => parseAmount('12,5', { forms })).toThrow(
			expect.objectContaining({ hint: 'Write a decimal point, not a comma: 12.5 token' }),
		);
	});
});

describe('parseUnitAmount', () => {
	it.each([
		['1.5', UNIT_DECIMALS.ether, 1500000000000000000n],
		['20', UNIT_DECIMALS.gwei, 20000000000n],
		['7', UNIT_DECIMALS.wei, 7n],
		[0, UNIT_DECIMALS.ether, 0n],
		[' 0.000000000000000001', UNIT_DECIMALS.ether, 1n],
	])('reads %p with %i decimals', (text, decimals, expected) => {
		expect(parseUnitAmount(text, decimals, 'value')).toBe(expected);
	});

	it.each([
		['1.5', UNIT_DECIMALS.wei],
		['0.0000000001', UNIT_DECIMALS.gwei],
		['-1', UNIT_DECIMALS.ether],
		['1 ether', UNIT_DECIMALS.ether],
		['0x10', UNIT_DECIMALS.wei],
		['', UNIT_DECIMALS.wei],
		[0.1, UNIT_DECIMALS.ether],
	])('refuses %p with %i decimals', (text, decimals) => {
		expect(() => parseUnitAmount(text, decimals, 'value')).toThrow(InvalidInputError);
	});

	it.each([
		['0,05', '"0,05" has a comma', 'Write a decimal point, not a comma: 0.05'],
		['1.55', '"1.55" has 2 decimal places', 'The chosen unit has 1 decimal place: give at most 1'],
	])('says of %s what would be right', (text, message, hint) => {
		expect(() => parseUnitAmount(text, 1, 'value')).toThrow(
			expect.objectContaining({ message, hint: expect.stringContaining(hint) }),
		);
	});
});

describe('parseDecimals', () => {
	it.each([
		[18, 18],
		['18', 18],
		[0, 0],
		['0', 0],
		[255, 255],
	])('reads %p', (value, expected) => {
		expect(parseDecimals(value)).toBe(expected);
	});

	it.each([[-1], [256], ['256'], [1.5], ['1.5'], [''], ['0x12'], [null], [undefined], [[18]]])(
		'refuses %p',
		(value) => {
			expect(() => parseDecimals(value)).toThrow(InvalidInputError);
		},
	);
});
