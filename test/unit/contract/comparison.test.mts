/** Comparisons with a function's result, checked against bigint comparisons. */
import fc from 'fast-check';

import { comparisonBy, integerOf } from '../../../nodes/WalletService/contract/comparison.ts';
import type { ComparisonName } from '../../../nodes/WalletService/contract/comparison.ts';
import { decodeAnswer } from '../../../nodes/WalletService/contract/decode.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { resolveBy } from '../support/contract/resolve.mts';
import { forAll } from '../support/for-all.mts';
import { rejectionOf } from '../support/refusal.mts';

const LIMIT = 2n ** 255n;
const parameters = { comparison: 'Condition', operand: 'Value' };

/** Small numbers, so that some are equal, and the limits of the type. */
const integer = fc.oneof(
	fc.bigInt({ min: -9n, max: 9n }),
	fc.bigInt({ min: -LIMIT, max: LIMIT - 1n }),
	fc.constantFrom(-LIMIT, LIMIT - 1n, 2n ** 53n, 2n ** 53n + 1n),
);

const sizeOf = (value: bigint) => (value < 0n ? -value : value);
const signOf = (value: bigint) => (value < 0n ? '-' : '');

function inWhole(units: bigint, decimals: number): string {
	const digits = String(sizeOf(units)).padStart(decimals + 1, '0');
	const point = digits.length - decimals;
	const fraction = decimals === 0 ? '' : `.${digits.slice(point)}`;
	return `${signOf(units)}${digits.slice(0, point)}${fraction}`;
}

/** The ways to write an integer in an answer, and to declare it. */
const writings: ((value: bigint) => unknown)[] = [
	String,
	(value) => ({ type: 'BigNumber', hex: `${signOf(value)}0x${sizeOf(value).toString(16)}` }),
];
const declarations = ['level() view returns (int256)', 'level() view returns (int256 high)'];

const model: Record<ComparisonName, (one: bigint, other: bigint) => boolean> = {
	atLeast: (one, other) => one >= other,
	atMost: (one, other) => one <= other,
	is: (one, other) => one === other,
	isNot: (one, other) => one !== other,
};

test('integers are compared exactly, however both are written', async () => {
	await forAll(
		[
			integer,
			integer,
			fc.constantFrom<ComparisonName>('atLeast', 'atMost', 'is', 'isNot'),
			fc.option(fc.constantFrom(0, 1, 6, 18), { nil: undefined }),
			fc.boolean(),
			fc.constantFrom(...writings),
			fc.constantFrom(...declarations),
		],
		3000,
		async (value, other, name, decimals, withUnit, write, declaration) => {
			const fn = parseSignature(declaration);
			const unit = withUnit ? `${inWhole(other, 18)} ether` : undefined;
			const operand = unit ?? inWhole(other, decimals ?? 0);
			const given = { name, operand, parameters, decimals };
			const answer = decodeAnswer(fn, write(value), { isComparable: true }).value;
			const isAsWanted = await comparisonBy(fn, given, resolveBy());
			expect(isAsWanted(answer)).toBe(model[name](value, other));
			expect(integerOf(fn, answer)).toBe(value);
		},
	);
});

test('equal answers are equal text, and others are not', () => {
	const fn = parseSignature('f() view returns (address who, bytes data, string words, bool[] on)');
	const textOf = (...answer: unknown[]) =>
		JSON.stringify(decodeAnswer(fn, answer, { isComparable: true }).value);
	const who = `0x${'aB'.repeat(20)}`.toLowerCase();
	const upper = `0x${'AB'.repeat(20)}`;
	const same = textOf(who, '0xab', 'Ab', [true]);
	expect(textOf(upper, '0xAB', 'Ab', [true])).toBe(same);
	expect(textOf(who, '0xab', 'ab', [true])).not.toBe(same);
	expect(textOf(who, '0xab', 'Ab', [false])).not.toBe(same);
	expect(textOf(who, '0xab', 'Ab', [true, true])).not.toBe(same);
	expect(textOf(who, '0x', 'Ab', [true])).not.toBe(same);
});

test('an operand with more decimal places than the output is scaled by is refused', async () => {
	const fn = parseSignature('totalSupply() view returns (uint256)');
	const given = { name: 'atLeast', operand: '12.5', parameters, decimals: 0 } as const;
	const { hint } = await rejectionOf(comparisonBy(fn, given, resolveBy()));
	expect(hint).toMatch(/^10\^0 has no decimal places/);
});
