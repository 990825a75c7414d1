/** Amounts as other languages, keyboards and word processors write them: refused, with the value to paste. */
import fc from 'fast-check';

import {
	NATIVE_FORMS,
	parseWholeAmount,
	readWritten,
} from '../../../nodes/WalletService/values/amount.ts';
import { forAll } from '../support/for-all.mts';
import { refusalOf } from '../support/refusal.mts';

type Refused = readonly [text: string, message: string, hint: string];

function expectRefusal(read: () => unknown, [, message, hint]: Refused) {
	const refusal = refusalOf(read);
	expect(refusal.message).toContain(message);
	expect(refusal.hint).toContain(hint);
}

const inPlain = 'is not an amount in plain digits';
const groups = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 4 });
const SEPARATORS = [' ', '\u00a0', '\u202f', '\u2009', "'", '\u2019', '_', '\u066c'];
const DIGITS = ['0', '\u0660', '\u06f0', '\u0966', '\u0e50', '\uff10', '\u{1d7ce}'];

it('a number in the notation of another language is refused, with its value to paste', async () => {
	const first = fc.integer({ min: 1, max: 999 });
	const [separator, zero] = [fc.constantFrom(...SEPARATORS), fc.constantFrom(...DIGITS)];
	const fraction = fc.constantFrom('', '.5', ',50', '.125', ',125');
	await forAll([first, groups, separator, zero, fraction], 500, (head, tail, by, from, end) => {
		const parts = [String(head), ...tail.map((one) => String(one).padStart(3, '0'))];
		const start = from.codePointAt(0) ?? 0;
		const text = (parts.join(by) + end).replace(/\d/g, (digit) =>
			String.fromCodePoint(start + Number(digit)),
		);
		const value = (parts.join('') + end).replace(',', '.');
		const refused = refusalOf(() => parseWholeAmount(text, 'amount'));
		expect(refused.message).toContain(inPlain);
		expect(refused.hint).toBe(`Write digits and a decimal point: ${value}`);
		expect(parseWholeAmount(value, 'amount').number).toBe(value);
	});
});

it.each<Refused>([
	['１２', inPlain, 'point: 12'],
	['١٢٫٥', inPlain, 'point: 12.5'],
	['12，5', 'has a comma', 'not a comma: 12.5'],
	['1,00,000.50', 'has a comma', 'no other separators: 100000.50'],
	['1.234.567', inPlain, 'point: 1234567'],
	['$5', inPlain, 'point: 5'],
	['1\u00a0000,5 SUSD', inPlain, 'point: 1000.5'],
	...['\u22125', '\u20135', '\u22121\u00a0000', '-1,5'].map(
		(text): Refused => [text, 'is negative', 'without a minus sign'],
	),
])('parseWholeAmount refuses %j: %s: %s', (...row) => {
	expectRefusal(() => parseWholeAmount(row[0], 'amount'), row);
});

it.each<Refused>([
	['\u22125', inPlain, 'point: -5 ether or -5 gwei'],
	["1'000 gwei", inPlain, 'point: 1000 gwei'],
	['1,000-', 'is not an amount', 'Enter digits without separators'],
])('readWritten refuses %j: %s: %s', (...row) => {
	expectRefusal(() => readWritten(row[0], 'amount', NATIVE_FORMS), row);
});

it.each([
	...['1k', '2M', '1.5 k', '1,5k', '1,5M USD', '2,5 mio SUSD', '1,5 Millionen', '1e3k', '3 lakh'],
	...[
		'1,5 млн',
		'3万',
		'1,000 thousand',
		'1.5bn',
		'2 crore',
		'2,5 millones',
		'2 milhões',
		'1,5 Mrd.',
	],
])('no hint proposes the number of %j without what multiplies it', (text) => {
	const { hint } = refusalOf(() => parseWholeAmount(text, 'amount', NATIVE_FORMS));
	expect(hint).toContain('Enter digits without separators');
	expect(hint).not.toMatch(/(?<![\d.])(?!12\.5)\d/);
});

it.each([
	'SUSD',
	'MATIC',
	'tBTC',
	'MILK',
	'BILLY',
	'KCS',
	'usdc',
	'MNT',
	'BNB',
	'MKR',
	'TRB',
	'CRV',
])('a symbol such as %s keeps its number in the hint', (symbol) => {
	const { hint } = refusalOf(() => parseWholeAmount(`1,5 ${symbol}`, 'amount'));
	expect(hint).toBe('Write a decimal point, not a comma: 1.5');
});
