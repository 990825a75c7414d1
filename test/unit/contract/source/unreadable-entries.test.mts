/** Unreadable entries of an ABI: other functions can be called, and errors state the problem. */
import {
	findFunction,
	functionsFor,
	parseAbi,
} from '../../../../nodes/WalletService/contract/source/abi.ts';
import {
	abbreviatedSignature,
	functionKey,
} from '../../../../nodes/WalletService/contract/function.ts';
import { refusalOf } from '../../support/refusal.mts';
import { fn, tuple } from '../../support/contract/samples.mts';

const good = fn('good', 'address a', 'bool', 'nonpayable');
const swap = (inputs: unknown, outputs: unknown = [], mutability?: string) =>
	fn('swap', inputs, outputs, mutability);
const last = fn('last', [], 'uint256', 'view');

/** Nested tuples, deeper than any compiler's output and than the stack. */
const nested = (depth: number): unknown => {
	let entry: unknown = { type: 'uint256' };
	for (let level = 0; level < depth; level += 1) entry = { type: 'tuple', components: [entry] };
	return entry;
};

describe('an entry of a JSON ABI that cannot be read', () => {
	const AT = 'abi[1] ("swap"), ';
	const LIST = tuple('bool, Token', 't', '[]');
	const NO_LIST = { ...swap([]), inputs: 'address' };

	it.each<[what: string, entry: unknown, problem: string]>([
		['a fixed-point type', swap('fixed128x18'), `${AT}"fixed128x18": it is not a type of the ABI`],
		['a future type', swap('bool, decimal256'), `${AT}"decimal256": it is not a type of the ABI`],
		['a user-defined type', swap([LIST]), `${AT}"Token": it is not a type of the ABI`],
		['a wrong size', swap('uint7'), `${AT}"uint7": no type has this size`],
		['a wrong array', swap('uint256[0]'), `${AT}"uint256[0]": it is not a type of the ABI`],
		[
			'a wrong return',
			swap([], 'ufixed128x18', 'view'),
			`${AT}"ufixed128x18": it is not a type of the ABI`,
		],
		['an empty tuple', swap([{ type: 'tuple' }]), `${AT}undefined: it is not a list of parameters`],
		['tuples without end', swap([nested(20_000)]), ': tuples are nested too deeply'],
		['no type', swap([{ name: 'a' }]), ': it is not a parameter with a type'],
		['no list', NO_LIST, `${AT}"address": it is not a list of parameters`],
		['a wrong mutability', swap([], [], 'veiw'), `${AT}"veiw": it is not a state mutability`],
		[
			'an unknown kind',
			{ type: 'method', name: 'swap' },
			`${AT}"method": it is not a kind of ABI entry`,
		],
		['an odd name', fn('swap it', [], []), `"swap it": it is not the name of a function`],
		['no name', fn('', [], []), 'At abi[1], "": it is not the name of a function'],
		['a name that is no text', fn(12, [], []), 'At abi[1], 12: it is not the name of a function'],
		['a number', 7, 'At abi[1], 7: it is not an entry of an ABI'],
		['nothing', null, 'At abi[1], null: it is not an entry of an ABI'],
		['a bad line', 'function swap(uint7)', 'In abi[1]: At character 15, "uint7": no type'],
	])('because of %s refuses only its own function', (_what, entry, problem) => {
		const abi = parseAbi([good, entry, last]);
		expect(abi.functions.map(functionKey)).toEqual(['good(address)', 'last()']);
		const sent = abbreviatedSignature(findFunction(abi, 'good(address)'), 'write');
		expect(sent).toBe('good(address) public returns (bool)');
		const find = () => findFunction(abi, 'swap', { parameter: 'contractFunction' });
		const { message, hint, parameter } = refusalOf(find);
		expect(message).toMatch(
			/^The ABI contains no function "swap"\. One entry of the ABI cannot be re/,
		);
		expect(message).toContain(problem);
		expect([hint, parameter]).toEqual(['Choose one of: good(address), last()', 'contractFunction']);
		expect(abi.unreadable?.hint).toMatch(/./);
	});

	it('is counted with the others', () => {
		const abi = parseAbi({ abi: [good, fn('', [], []), swap('uint7')] });
		expect(() => findFunction(abi, 'mint(address)')).toThrow(
			'The ABI contains no function "mint(address)". 2 entries of the ABI cannot be read: At abi[1], "": it is not the name of a function, …',
		);
		expect(() => findFunction(abi, '')).toThrow(/^No function is chosen\. 2 entries/);
	});

	it('may have the name of any other, which full types choose', () => {
		const abi = parseAbi([fn('pay', 'address', []), fn('pay', 'fixed', [])]);
		expect(functionKey(findFunction(abi, 'pay(address)'))).toBe('pay(address)');
		const { message, hint } = refusalOf(() => findFunction(abi, 'pay'));
		expect(message).toMatch(/^More than one entry may be the function "pay"\. One entry .*"fixed"/);
		expect(hint).toBe('Choose one of: pay(address)');
	});

	it('is the only one: the ABI is still one with a function', () => {
		const abi = parseAbi([swap('fixed')]);
		expect(abi.functions).toEqual([]);
		expect(functionsFor(abi, 'read')).toEqual([]);
		const { message, hint } = refusalOf(() => findFunction(abi, 'swap'));
		expect(message).toMatch(
			/^The ABI contains no function "swap"\. One entry .*"fixed": it is not a type of/,
		);
		expect(hint).toMatch(/^Use uint256, /);
	});
});

describe('a line that cannot be read', () => {
	it.each<[what: string, bad: string, message: RegExp]>([
		['a wrong type', 'b(uint7)', /In line 2: At character 3, "uint7".*"b\(uint7\)"/],
		['an unknown type', 'function b(fixed128x18 x) view', /In line 2: At character 12/],
		['a typing mistake', 'fucntion b(uint256) view', /In line 2: At character 10, "b"/],
		['no parentheses', 'function b', /In line 2: At the end: "\(" is expected/],
		['no closing parenthesis', 'function b(uint256', /In line 2: At the end/],
		['no opening parenthesis', 'function b uint256)', /In line 2: At character 12/],
		['a return type in front', 'uint256 b()', /In line 2: At character 9, "b"/],
		['other words', 'no signature at all', /In line 2: At character 4, "signature"/],
	])('because of %s refuses only its own function', (_what, bad, message) => {
		const lines = ['function a() view returns (uint256)', bad, 'function c(address to)', ''];
		for (const separator of ['\n', '\r\n', ';\n']) {
			const abi = parseAbi(lines.join(separator));
			expect(abi.functions.map(functionKey)).toEqual(['a()', 'c(address)']);
			expect(() => findFunction(abi, 'b')).toThrow(message);
			expect(findFunction(abi, 'a()').stateMutability).toBe('view');
		}
	});
});
