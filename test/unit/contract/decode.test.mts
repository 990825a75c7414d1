/** Decoding of contract answers: the declared return values, or the unchanged answer with a reason. */
import { decodeAnswer } from '../../../nodes/WalletService/contract/decode.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { bigNumbersToDecimal } from '../../../nodes/WalletService/values/integers.ts';
import { list, WALLET } from '../support/contract/samples.mts';

const big = (hex: string) => ({ type: 'BigNumber', hex });
const decode = (returns: string, answer: unknown, decimals?: number) =>
	decodeAnswer(parseSignature(`f() view returns (${returns})`), answer, { decimals });

const WALLET_5 = { who: WALLET, n: '5' };

it.each<[string, unknown, unknown]>([
	['uint256', big('0x0642f8'), '410360'],
	['uint256', 7, '7'],
	['uint256', String(2n ** 256n - 1n), String(2n ** 256n - 1n)],
	['uint8', '0x12', '18'],
	['uint256 price', big('0x0a'), { price: '10' }],
	['uint256[]', [big('0x01'), 2, '3'], ['1', '2', '3']],
	['uint256[]', [], []],
	['uint256,bool', [big('0x01'), true], ['1', true]],
	['uint256 a, bool b', { b: true, a: 1 }, { a: '1', b: true }],
	['uint256 a, bool', [1, true], { a: '1', 1: true }],
	['uint256 a, bool', { 0: 1, 1: true, a: 1 }, { a: '1', 1: true }],
	['(int256 x, int256 y)', [big('-0x01'), 2], { x: '-1', y: '2' }],
	['(int256,int256)', [1, 2], ['1', '2']],
	['(address who, uint8 n)[] list, int8', [[[WALLET, 5]], 1], { list: [WALLET_5], 1: '1' }],
])('the returned (%s) of %j', (returns, answer, value) => {
	expect(decode(returns, answer)).toEqual({ isDecoded: true, value });
});

type Mismatch = [returns: string, answer: unknown, reason: RegExp];
const OTHER = /is not of type/;
const TOO_FEW = /does not contain the 2 declared values/;

it.each<Mismatch>([
	['uint256', 'ten', /^value: "ten" is not of type uint256/],
	...[null, true, [big('0x01')], 2 ** 60, -1].map((answer): Mismatch => ['uint256', answer, OTHER]),
	['uint8', 256, /is not of type uint8/],
	['bool', 'true', /is not of type bool/],
	['string', 1, /is not of type string/],
	['address', '0x12', /is not of type address/],
	['bytes4', '0x12', /is not of type bytes4/],
	['bytes', '0x1', /is not of type bytes/],
	['uint256[2]', [1], /is not of type uint256\[2\]/],
	['uint256[]', { 0: 1 }, OTHER],
	...[[1], { a: 1 }, 1].map((answer): Mismatch => ['uint256 a, bool b', answer, TOO_FEW]),
	['(uint8 n)[] list', list([1], [999]), /^value\.list\[1\]\.n: 999 is not of type uint8/],
])('an answer that does not match (%s) is passed on: %j', (returns, answer, reason) => {
	expect(decode(returns, answer)).toEqual({
		isDecoded: false,
		value: bigNumbersToDecimal(answer),
		reason: expect.stringMatching(reason),
	});
});

it('an answer without declared returns is passed on, integers in decimal', () => {
	expect(decodeAnswer(parseSignature('f()'), { a: [big('0x0a'), 1, 'x'] })).toEqual({
		isDecoded: true,
		value: { a: ['10', 1, 'x'] },
	});
});

it('every integer is scaled exactly by decimals, and nothing else', () => {
	const returns = 'uint256 balance, (int256, string)[] changes';
	const answer = [big('0x16e360'), list([-1, '2'], [big('0x0f4240'), ''])];
	const value = { balance: '1.5', changes: list(['-0.000001', '2'], ['1', '']) };
	expect(decode(returns, answer, 6)).toEqual({ isDecoded: true, value });
	expect(decode('uint256', 'many', 6)).toMatchObject({ isDecoded: false, value: 'many' });
});

it('a return called __proto__ is kept', () => {
	const decoded = decode('uint256 __proto__, bool b', [1, true]);
	expect(JSON.stringify(decoded.value)).toBe('{"__proto__":"1","b":true}');
});
