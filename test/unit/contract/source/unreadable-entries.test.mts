/** One entry of an ABI that cannot be read: the others can be used, and whoever looks for it is told why it is not there. */
import { abbreviatedSignature } from '../../../../nodes/WalletService/contract/source/abbreviated-signature.ts';
import {
	findFunction,
	functionsFor,
	parseAbi,
	unreadableFor,
} from '../../../../nodes/WalletService/contract/source/abi.ts';
import { functionKey } from '../../../../nodes/WalletService/contract/function.ts';
import { refusalOf } from '../../support/contract/refusal.mts';
import { params, tuple } from '../../support/contract/well-formed.mts';

const fn = (name: unknown, inputs: unknown, outputs: unknown, stateMutability?: string) => ({
	type: 'function',
	name,
	inputs,
	outputs,
	stateMutability,
});

const good = fn('good', params('address a'), params('bool'), 'nonpayable');
const last = fn('last', [], params('uint256'), 'view');

describe('an entry of a JSON ABI that cannot be read', () => {
	it.each<[what: string, entry: unknown, key: string, message: RegExp]>([
		[
			'a fixed-point type',
			fn('swap', params('fixed128x18 rate'), []),
			'swap(fixed128x18)',
			/At abi\[1\]\.inputs\[0\]\.type, "fixed128x18": this type cannot be passed/,
		],
		[
			'a type of the future',
			fn('swap', params('address a, decimal256 b'), []),
			'swap',
			/At abi\[1\]\.inputs\[1\]\.type, "decimal256": it is not a type of the ABI/,
		],
		[
			'the name of a user-defined type',
			fn('swap', [tuple('bool, Token', 't', '[]')], []),
			'swap(tuple[])',
			/At abi\[1\]\.inputs\[0\]\.components\[1\]\.type, "Token"/,
		],
		[
			'a wrong size',
			fn('swap', params('uint7'), []),
			'swap',
			/At abi\[1\]\.inputs\[0\]\.type, "uint7": there is no type of this size/,
		],
		[
			'a wrong array',
			fn('swap', params('uint256[0]'), []),
			'swap',
			/At abi\[1\]\.inputs\[0\]\.type, "uint256\[0\]"/,
		],
		[
			'a wrong return',
			fn('swap', [], params('ufixed128x18'), 'view'),
			'swap()',
			/At abi\[1\]\.outputs\[0\]\.type, "ufixed128x18"/,
		],
		['no members', fn('swap', [{ type: 'tuple' }], []), 'swap', /inputs\[0\]\.components, undef/],
		['no type', fn('swap', [{ name: 'a' }], []), 'swap(?)', /inputs\[0\], .*not a parameter/],
		['no list', fn('swap', 'address', []), 'swap', /inputs, "address": it is not a list/],
		['a wrong mutability', fn('swap', [], [], 'veiw'), 'swap()', /stateMutability, "veiw"/],
		['an unknown kind', { type: 'method', name: 'swap' }, 'swap', /At abi\[1\]\.type, "method"/],
		['an odd name', fn('swap it', [], []), 'swap it', /At abi\[1\]\.name, "swap it"/],
		['a bad line', 'function swap(uint7)', 'swap', /In abi\[1\]: At character 15, "uint7"/],
	])('of %s refuses only its own function', (_what, entry, key, message) => {
		for (const source of [[good, entry, last], JSON.stringify({ abi: [good, entry, last] })]) {
			const abi = parseAbi(source, 'contractAbi');
			expect(abi.functions.map(functionKey)).toEqual(['good(address)', 'last()']);
			expect(abbreviatedSignature(findFunction(abi, 'good'), 'write')).toBe(
				'good(address) public returns (bool)',
			);
			const { message: text, hint, parameter } = refusalOf(() => findFunction(abi, key));
			expect(text).toContain('cannot be called, because its entry cannot be read. ');
			expect(text).toMatch(message);
			expect(hint).toMatch(/./);
			expect(parameter).toBe('contractAbi');
		}
	});

	it.each<[what: string, entry: unknown]>([
		['that is a number', 7],
		['that is null', null],
		['without a name', fn('', [], [])],
		['with a name that is no text', fn(12, [], [])],
	])('%s is named by its place', (_what, entry) => {
		const abi = parseAbi([good, entry]);
		expect(abi.unreadable.map(({ place, label }) => [place, label])).toEqual([
			['abi[1]', expect.stringMatching(/^abi\[1\]$/)],
		]);
		expect(() => findFunction(abi, 'abi[1]')).toThrow(/"abi\[1\]" cannot be called.*At abi\[1\]/);
	});

	it('is mentioned when a function is looked for that is not there', () => {
		const abi = parseAbi([good, fn('', [], []), fn('swap', params('uint7'), [])]);
		const refusal = refusalOf(() =>
			findFunction(abi, 'mint(address)', { parameter: 'contractFunction' }),
		);
		expect(refusal.message).toBe(
			'The ABI holds no function "mint(address)". 2 entries of the ABI cannot be read: At abi[1].name, "": it is not the name of a function, …',
		);
		expect(refusal.parameter).toBe('contractFunction');
		expect(refusal.hint).toBe('Choose one of: good(address)');
		expect(() => findFunction(abi, '')).toThrow(/^No function is chosen\. 2 entries/);
		expect(() => findFunction(abi, 'swap(bool)')).toThrow(
			/^The ABI holds no function "swap\(bool\)"\. One entry of the ABI .*abi\[2\]/,
		);
	});

	it('makes a name that it shares ambiguous, and leaves the full types alone', () => {
		const abi = parseAbi([fn('pay', params('address'), []), fn('pay', params('fixed'), []), last]);
		expect(functionKey(findFunction(abi, 'pay(address)'))).toBe('pay(address)');
		expect(functionKey(findFunction(abi, 'last'))).toBe('last()');
		expect(() => findFunction(abi, 'pay')).toThrow(
			/^More than one entry may be the function "pay"\. One entry .*abi\[1\]\.inputs\[0\]/,
		);
	});

	it('is listed for the operation that it declares, or for both', () => {
		const bad = params('fixed');
		const abi = parseAbi([
			fn('a', bad, [], 'view'),
			fn('b', bad, [], 'payable'),
			fn('c', bad, []),
			good,
		]);
		const labels = (operation: 'read' | 'write') =>
			unreadableFor(abi, operation).map(({ label }) => label);
		expect(labels('read')).toEqual(['a(fixed)', 'c(fixed)']);
		expect(labels('write')).toEqual(['b(fixed)', 'c(fixed)']);
		expect(functionsFor(abi, 'read')).toEqual([]);
	});

	it('is the only one: the ABI is still one with a function', () => {
		const abi = parseAbi([fn('swap', params('fixed'), [])]);
		expect(abi.functions).toEqual([]);
		expect(() => findFunction(abi, 'swap')).toThrow(/^"swap\(fixed\)" cannot be called/);
		expect(() => findFunction(abi, 'x')).toThrow(
			expect.objectContaining({ hint: expect.stringMatching(/^Paste a JSON ABI/) }),
		);
	});
});

describe('a line that cannot be read', () => {
	it.each<[what: string, bad: string, key: string, message: RegExp]>([
		['a wrong type', 'b(uint7)', 'b(uint7)', /In line 2: At character 3, "uint7".*"b\(uint7\)"/],
		['an unknown type', 'function b(fixed128x18 x) view', 'b', /In line 2: At character 12/],
		['a typing mistake', 'fucntion b(uint256) view', 'b', /In line 2: At character 10, "b"/],
		['a mistyped modifier', 'function b(uint256) veiw', 'b', /"view" is probably meant/],
		['no parentheses', 'function b', 'b', /In line 2: At the end: "\(" is expected/],
		['no closing parenthesis', 'function b(uint256', 'b', /In line 2: At the end/],
		['no opening parenthesis', 'function b uint256)', 'b', /In line 2: At character 12/],
		['a return type in front', 'uint256 b()', 'b', /In line 2: At character 9, "b"/],
		['other words', 'no signature at all', 'no', /In line 2: At character 4, "signature"/],
	])('because of %s refuses only its own function', (_what, bad, key, message) => {
		const lines = ['function a() view returns (uint256)', bad, 'function c(address to)', ''];
		for (const separator of ['\n', '\r\n', ';\n']) {
			const abi = parseAbi(lines.join(separator));
			expect(abi.functions.map(functionKey)).toEqual(['a()', 'c(address)']);
			expect(() => findFunction(abi, key)).toThrow(message);
			expect(() => findFunction(abi, key)).toThrow(/because its entry cannot be read/);
			expect(findFunction(abi, 'a()').stateMutability).toBe('view');
		}
	});

	it('stays apart from the ones around it, also without "function" and without line breaks', () => {
		const lines = parseAbi('a(uint256\nb(address)\nc()) view\nd(bool x');
		expect(lines.functions).toEqual([]);
		expect(lines.unreadable.map(({ label }) => label)).toEqual([
			'a(uint256\nb(address)\nc()) view',
			'd(bool x',
		]);
		const one = parseAbi('a(); b(uint7); c(bool)');
		expect(one.functions.map(functionKey)).toEqual(['a()', 'c(bool)']);
		expect(one.unreadable.map(({ place }) => place)).toEqual(['line 1']);
	});
});
