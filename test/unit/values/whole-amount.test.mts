/** Amounts in whole coins and tokens: exact, and nothing but a number where no unit can stand. */
import {
	NATIVE_FORMS,
	parseWholeAmount,
	toBaseUnits,
} from '../../../nodes/WalletService/values/amount.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';

function refusalOf(value: unknown): InvalidInputError {
	try {
		parseWholeAmount(value, 'compareWith');
	} catch (error) {
		if (error instanceof InvalidInputError) return error;
		throw error;
	}
	throw new Error(`${String(value)} was taken`);
}

describe('parseWholeAmount', () => {
	it.each<[value: unknown, digits: bigint, places: number]>([
		['100', 100n, 0],
		['12.5', 125n, 1],
		['\n 12.50', 1250n, 2],
		['0', 0n, 0],
		['0.000000000000000001', 1n, 18],
		['007', 7n, 0],
		[100, 100n, 0],
		[10n ** 40n, 10n ** 40n, 0],
		[`1${'0'.repeat(499)}.${'0'.repeat(498)}1`, 10n ** 998n + 1n, 499],
	])('%j is taken', (value, digits, places) => {
		expect(parseWholeAmount(value, 'compareWith')).toMatchObject({ digits, places });
	});

	it.each<[value: unknown, message: string, hint: string]>([
		['12,5', '"12,5" has a comma', 'Write a decimal point, not a comma: 12.5'],
		['1,000', '"1,000" has a comma', 'Write a decimal point, not a comma: 1000 or 1.000'],
		['1,000.50', '"1,000.50" has a comma', 'and no other separators: 1000.50'],
		['1,000,000', '"1,000,000" has a comma', 'and no other separators: 1000000'],
		['1.000,50', '"1.000,50" has a comma', 'and no other separators: 1000.50'],
		['12,5 SUSD', '"12,5 SUSD" has a comma', 'not a comma: 12.5 SUSD'],
		['100 SUSD', '"100 SUSD" is not an amount', 'nothing else: 100'],
		['100 token', '"100 token" is not an amount', 'nothing else: 100'],
		['1 * 10^6', '"1 * 10^6" is not an amount', 'nothing else: 12.5'],
		['1.5 ether', '"1.5 ether" is not an amount', 'nothing else: 1.5'],
		['1.5 GWEI', '"1.5 GWEI" is not an amount', 'nothing else: 12.5'],
		['1.5 gwei', '"1.5 gwei" is not an amount', 'nothing else: 12.5'],
		['7 wei', '"7 wei" is not an amount', 'nothing else: 12.5'],
		['-1', '"-1" is negative', 'Give the amount without a sign'],
		[-1, '"-1" is negative', 'Give the amount without a sign'],
		['--1', '"--1" is not an amount', 'nothing else'],
		['+1', '"+1" is not an amount', 'nothing else'],
		['.5', '".5" is not an amount', 'nothing else'],
		['5.', '"5." is not an amount', 'nothing else'],
		['1e3', '"1e3" is not an amount', 'nothing else'],
		['0x10', '"0x10" is not an amount', 'nothing else'],
		['١٢', '"١٢" is not an amount', 'nothing else'],
		['NaN', '"NaN" is not an amount', 'nothing else'],
		[NaN, '"NaN" is not an amount', 'nothing else'],
		[Infinity, '"Infinity" is not an amount', 'nothing else'],
		['', 'No amount is given', 'for example 12.5'],
		[' ', 'No amount is given', 'for example 12.5'],
		[12.5, '12.5 comes as a number with a fraction', 'Give it as text'],
		[2 ** 53, '9007199254740992 lies beyond 2^53', 'Give it as text'],
		[true, 'is not an amount', 'nothing else'],
		[null, 'No amount is given', 'for example 12.5'],
		[undefined, 'No amount is given', 'for example 12.5'],
		[['5'], 'is not an amount', 'nothing else'],
		[{ toString: () => '5' }, 'is not an amount', 'nothing else'],
		['9'.repeat(1001), 'has 1001 characters', 'Give at most 1000 characters'],
	])('%j is refused', (value, message, hint) => {
		const refusal = refusalOf(value);
		expect(refusal.message).toContain(message);
		expect(refusal.hint).toContain(hint);
		expect(refusal.parameter).toBe('compareWith');
	});
});

describe('whole coins', () => {
	const wei = (text: unknown): bigint => {
		const written = parseWholeAmount(text, 'value', NATIVE_FORMS);
		return toBaseUnits(written, written.decimals ?? 18, 'value', written.unit || 'ether');
	};

	it.each([
		['1.5', 1500000000000000000n],
		[' 0.000000000000000001', 1n],
		[0, 0n],
		['20 gwei', 20000000000n],
		['7wei', 7n],
	])('reads %p', (text, expected) => {
		expect(wei(text)).toBe(expected);
	});

	it.each([
		['-1', '"-1" is negative', 'without a sign'],
		['-0 wei', '"-0 wei" is negative', 'without a sign'],
		['0x10', '"0x10" is not an amount', ': 12.5 ether or 12.5 gwei'],
		['1 * 10^6', '"1 * 10^6" is not an amount', ': 12.5 ether or 12.5 gwei'],
		['1 SUSD', '"1 SUSD" is not an amount', ': 1 ether or 1 gwei'],
		['1 Ether', '"1 Ether" is not an amount', 'Write the unit in lower case: 1 ether'],
		['0,05', '"0,05" has a comma', 'Write a decimal point, not a comma: 0.05 ether or'],
		['1.5 wei', '"1.5 wei" has 1 decimal place', 'wei has no decimal places: give a whole number'],
		['', 'No amount is given', 'for example 12.5 ether or 12.5 gwei'],
	])('says of %p what would be right', (text, message, hint) => {
		expect(() => wei(text)).toThrow(
			expect.objectContaining({ message, hint: expect.stringContaining(hint) }),
		);
	});
});
