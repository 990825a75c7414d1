/** Values that the form itself never produces: nothing is guessed. */
import { parseCount, parseSwitch } from '../../../nodes/WalletService/values/choice.ts';

const NONE = [undefined, null, '', ' ', NaN, [], {}, 0, 0n, Symbol('x'), () => 1];

describe('parseSwitch', () => {
	it.each([
		[true, true],
		['true', true],
		[false, false],
		['false', false],
	])('takes %p', (value, expected) => {
		expect(parseSwitch(value, 'Preview')).toBe(expected);
	});

	it.each([...NONE, 1, 'TRUE', 'False', 'yes', 'on', '1', '0', ' true', 'true ', [true], 'null'])(
		'refuses %p',
		(value) => {
			expect(() => parseSwitch(value, 'Options: Preview')).toThrow(
				expect.objectContaining({
					name: 'InvalidInputError',
					parameter: 'Options: Preview',
					value,
					message: expect.stringMatching(/ is neither true nor false$/),
				}),
			);
		},
	);
});

describe('parseCount', () => {
	it.each([
		[1, 1],
		[50, 50],
		['10', 10],
		[' 7\n', 7],
		['007', 7],
		[2 ** 53, 2 ** 53],
	])('takes %p', (value, expected) => {
		expect(parseCount(value, 'limit')).toBe(expected);
	});

	it.each([...NONE, -1, 1.5, 0.5, Infinity, '0', '-1', '1.5', '1e3', '0x10', 'ten', '1,000', true])(
		'refuses %p',
		(value) => {
			expect(() => parseCount(value, 'limit')).toThrow(
				expect.objectContaining({
					name: 'InvalidInputError',
					parameter: 'limit',
					value,
					message: expect.stringMatching(/ is not a whole number of 1 or more$/),
				}),
			);
		},
	);

	it('names what JSON has no word for', () => {
		expect(() => parseCount(NaN, 'limit')).toThrow('NaN is not');
		expect(() => parseCount(undefined, 'limit')).toThrow('undefined is not');
	});
});
