/** Integers in the answers of the service: exact in all forms, and decimal in the output. */
import fc from 'fast-check';

import {
	bigNumbersToDecimal,
	isBigNumber,
	parseBigNumber,
} from '../../../nodes/WalletService/values/integers.ts';
import { InvalidInputError } from '../../../nodes/WalletService/values/invalid-input.ts';
import { forAll } from '../support/for-all.mts';

const integer = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n });

/** A BigNumber as in ethers v5: an even number of digits, the sign in front. */
function bigNumber(value: bigint, zeros = '') {
	const digits = (value < 0n ? -value : value).toString(16);
	const even = digits.length % 2 === 0 ? digits : `0${digits}`;
	return { type: 'BigNumber', hex: `${value < 0n ? '-' : ''}0x${zeros}${even}` };
}

it.each([
	[{ type: 'BigNumber', hex: '0x000000FF' }, 255n],
	[0, 0n],
	[-7, -7n],
	[Number.MAX_SAFE_INTEGER, 9007199254740991n],
	[String(2n ** 256n - 1n), 2n ** 256n - 1n],
	['-12', -12n],
	['0x10', 16n],
	['-0x10', -16n],
	[`-${'9'.repeat(1000)}`, 1n - 10n ** 1000n],
	[`0x${'f'.repeat(1000)}`, 2n ** 4000n - 1n],
])('parseBigNumber reads %j', (value, expected) => {
	expect(parseBigNumber(value)).toBe(expected);
});

it.each([
	...[2 ** 53, 1.5, NaN, Infinity, '', '0x', '1.5', '1e3', 'ten', null, undefined, true, {}, []],
	...[undefined, '12', 12, `0x${'f'.repeat(1001)}`].map((hex) => ({ type: 'BigNumber', hex })),
	...[{ type: 'bignumber', hex: '0x01' }, '1'.repeat(1001), `-0x${'1'.repeat(1001)}`],
])('parseBigNumber refuses %j', (value) => {
	expect(() => parseBigNumber(value)).toThrow(InvalidInputError);
});

it('parseBigNumber reads every integer in every form exactly', async () => {
	await forAll([integer, fc.constantFrom('', '0', '00')], 100, (value, zeros) => {
		expect(parseBigNumber(bigNumber(value, zeros))).toBe(value);
		expect(parseBigNumber(value.toString())).toBe(value);
		expect(isBigNumber(bigNumber(value, zeros))).toBe(true);
	});
});

it('bigNumbersToDecimal replaces BigNumber objects anywhere and nothing else', () => {
	const answer = {
		a: [{ type: 'BigNumber', hex: '0x0a' }, ['x', { deep: { type: 'BigNumber', hex: '-0x0b' } }]],
		b: { type: 'BigNumber', hex: 'no integer' },
		beyondAnyContract: { type: 'BigNumber', hex: `0x${'f'.repeat(5_000_000)}` },
		c: null,
		d: [true, 1.5, 'text'],
	};
	expect(bigNumbersToDecimal(answer)).toEqual({ ...answer, a: ['10', ['x', { deep: '-11' }]] });
	expect(answer.a[0]).toEqual({ type: 'BigNumber', hex: '0x0a' });
	expect(bigNumbersToDecimal({ type: 'BigNumber', hex: '0x01' })).toBe('1');
	expect(bigNumbersToDecimal(null)).toBeNull();
});

it('bigNumbersToDecimal leaves any JSON value without BigNumber objects unchanged', async () => {
	await forAll([fc.jsonValue()], 100, (value) => {
		const before = JSON.stringify(value);
		expect(JSON.stringify(bigNumbersToDecimal(value))).toBe(before);
	});
});

it('bigNumbersToDecimal keeps a key __proto__ a key', () => {
	const answer: unknown = JSON.parse(
		'{"__proto__":{"type":"BigNumber","hex":"0x05"},"x":{"__proto__":{"y":1}}}',
	);
	const converted = bigNumbersToDecimal(answer);
	expect(JSON.stringify(converted)).toBe('{"__proto__":"5","x":{"__proto__":{"y":1}}}');
	expect(Object.getPrototypeOf(converted)).toBe(Object.prototype);
});

it('bigNumbersToDecimal takes lists of any length', () => {
	const list = Array.from({ length: 500_000 }, () => ({ type: 'BigNumber', hex: '0x07' }));
	expect(bigNumbersToDecimal({ list })).toEqual({ list: list.map(() => '7') });
});

it('bigNumbersToDecimal goes as deep as JSON.parse', () => {
	const depth = 200_000;
	const text = `${'['.repeat(depth)}{"type":"BigNumber","hex":"0x07"}${']'.repeat(depth)}`;
	let value = bigNumbersToDecimal(JSON.parse(text));
	for (let level = 0; level < depth; level += 1) {
		if (!Array.isArray(value)) throw new Error(`Level ${level} is not a list`);
		value = value[0];
	}
	expect(value).toBe('7');
});
