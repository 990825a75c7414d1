/** Computed numbers, and too many decimal places: refused, with the rounded amount to paste. */
import {
	inBaseUnits,
	NATIVE_FORMS,
	parseWholeAmount,
	readWritten,
	toBaseUnits,
} from '../../../nodes/WalletService/values/amount.ts';
import { refusalOf } from '../support/refusal.mts';

it.each<[number, string]>([
	[100 / 3, '33.3333333333333'],
	[4.35 * 100, '435'],
	[-0.1 - 0.2, '-0.3'],
	[1e-7, '0.0000001'],
	[2 ** 60, '1152921504606850000'],
	[1e300, ''],
])('a computed number, %d, is refused with its rounded value', (value, nearest) => {
	const rounded = (number: string) => (number === '' ? '' : ` write ${number} (rounded),`);
	const { hint } = refusalOf(() => parseWholeAmount(value, 'amount'));
	expect(hint).toContain(`(in JSON, quotes),${rounded(nearest)} or round it`);
	const { hint: native } = refusalOf(() =>
		inBaseUnits(readWritten(value, 'amount', NATIVE_FORMS), 'amount'),
	);
	const both = nearest && `${nearest} ether or ${nearest} gwei`;
	expect(native).toContain(`(in JSON, quotes),${rounded(both)} or round it`);
});

it.each([
	['33.333333333333336', 6, '33.333333'],
	['33.333333333333336 token', 6, '33.333333 token'],
	['434.99999999999994', 6, '435'],
	['-0.0000015 SUSD', 6, '-0.000002 SUSD'],
	['0.0000001', 6, undefined],
	['1.5 base', 0, undefined],
])(
	'too many decimal places of %s are refused with the rounded amount',
	(text, decimals, nearest) => {
		const { hint } = refusalOf(() => toBaseUnits(readWritten(text), decimals, 'amount'));
		expect(hint.split('never rounded')[1]).toBe(
			nearest === undefined ? '' : `. Rounded: ${nearest}`,
		);
	},
);

it.each([
	['0.1e1', '1'],
	['.5e1', '5'],
	['+1e3', '1000'],
])('scientific notation, %s, is refused with the number written out', (text, number) => {
	const { message, hint } = refusalOf(() => parseWholeAmount(text, 'amount'));
	expect([message, hint]).toEqual([
		`"${text}" is in scientific notation`,
		`Write the number out: ${number}`,
	]);
});
