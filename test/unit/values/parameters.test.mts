/** Values that the form itself never produces: their meaning is never guessed. */
import { parseCount, parseSwitch } from '../../../nodes/WalletService/values/choice.ts';
import { refusalOf } from '../support/refusal.mts';

const NONE = [undefined, null, '', ' ', NaN, [], {}, 0, 0n, Symbol('x'), () => 1];

it.each([true, 'true', false, 'false'])('parseSwitch takes %p', (value) => {
	expect(parseSwitch(value, 'Preview')).toBe(String(value) === 'true');
});

it.each([...NONE, 1, 'TRUE', 'False', 'yes', 'on', '1', '0', ' true', 'true ', [true], 'null'])(
	'parseSwitch refuses %p',
	(value) => {
		const refusal = refusalOf(() => parseSwitch(value, ['options', 'preview']));
		expect(refusal).toMatchObject({ parameter: ['options', 'preview'] });
		expect(refusal.message).toMatch(/ is neither true nor false$/);
	},
);

it.each([1, 50, '10', ' 7\n', '007', 2 ** 53])('parseCount takes %p', (value) => {
	expect(parseCount(value, 'limit')).toBe(Number(value));
});

it.each([...NONE, -1, 1.5, 0.5, Infinity, '0', '-1', '1.5', '1e3', '0x10', 'ten', '1,000', true])(
	'parseCount refuses %p',
	(value) => {
		const refusal = refusalOf(() => parseCount(value, 'limit'));
		expect(refusal).toMatchObject({ parameter: 'limit' });
		expect(refusal.message).toMatch(/ is not a whole number of 1 or more$/);
	},
);

it('parseCount names what JSON has no word for', () => {
	expect(() => parseCount(NaN, 'limit')).toThrow('NaN is not');
	expect(() => parseCount(undefined, 'limit')).toThrow('undefined is not');
});
