/** ABIs in all their forms, the choice of a function, and errors about unreadable entries. */
import { FunctionFragment, Interface } from 'ethers';

import { findFunction, functionsFor } from '../../../../nodes/WalletService/contract/source/abi.ts';
import { encodeArguments } from '../../../../nodes/WalletService/contract/arguments.ts';
import {
	abbreviatedSignature,
	selector,
} from '../../../../nodes/WalletService/contract/function.ts';
import { fn, param, params, tuple } from '../../support/contract/samples.mts';
import { resolveBy } from '../../support/contract/resolve.mts';
import { refusalOf } from '../../support/refusal.mts';
import { parseAbi } from '../../support/steps.mts';

const abi = [
	{ type: 'constructor', inputs: params('address owner'), stateMutability: 'nonpayable' },
	{ type: 'event', name: 'Transfer', inputs: [{ ...param('address from'), indexed: true }] },
	{ type: 'error', name: 'Broken', inputs: [] },
	{ type: 'receive', stateMutability: 'payable' },
	fn('balanceOf', 'address owner', 'uint256', 'view'),
	fn('sum', 'uint256[] values', 'uint256', 'pure'),
	fn('transfer', 'address to, uint256 amount', 'bool', 'nonpayable'),
	fn('transfer', 'address to, uint256 amount, bytes data', 'bool', 'nonpayable'),
	fn('deposit', [tuple('address who, uint96 amount', 'entries', '[2][]')], [], 'payable'),
];
const text = JSON.stringify(abi);

const byEthers = new Interface(text).fragments.filter(FunctionFragment.isFragment);

it.each<[string, unknown]>([
	['JSON text', text],
	['values', abi],
	['an artifact file', JSON.stringify({ contractName: 'Token', abi, bytecode: '0x' }, null, 2)],
	['an artifact as values', { abi }],
])('parseAbi reads %s', (_form, source) => {
	const read = parseAbi(source);
	const { functions } = read;
	expect(functions.map(({ key }) => key)).toEqual(byEthers.map((one) => one.format()));
	expect(functions.map(selector)).toEqual(byEthers.map((one) => one.selector));
	expect(read.unreadable).toBeUndefined();
	expect(functionsFor(read, 'read').map(({ name }) => name)).toEqual(['balanceOf', 'sum']);
	const writes = functionsFor(read, 'write').map(({ name }) => name);
	expect(writes).toEqual(['transfer', 'transfer', 'deposit']);
	const last = functions.map((one) => abbreviatedSignature(one, 'write')).at(-1);
	expect(last).toBe('deposit((address,uint96)[2][]) public payable');
});

const [A, E] = ['function a() view returns (uint256)', 'event E(address x)'];

const LINES = `${A}\n\n// events\n${E}\nerror Bad(uint256 x)\nb(address to)\nconstructor(address)\n`;
const SOLIDITY =
	'/* token; the */\nfunction a()\n  external\n  view\n  returns (uint256);\nevent E(\n address x\n);\nfunction b(\n  address to // payee; wallet\n) external;';

it.each([
	['a line each', LINES],
	['Solidity declarations', SOLIDITY],
	['a JSON list of lines', JSON.stringify([A, E, 'b(address to)'])],
])('parseAbi reads human-readable text: %s', (_form, source) => {
	const { functions, unreadable } = parseAbi(source);
	expect(functions.map(({ key }) => key)).toEqual(['a()', 'b(address)']);
	expect(unreadable).toBeUndefined();
	expect(functions.map(({ stateMutability }) => stateMutability)).toEqual(['view', undefined]);
});

it.each([
	[{ stateMutability: 'view' }, 'view'],
	[{ stateMutability: 'nonpayable' }, 'nonpayable'],
	[{ constant: true, payable: false }, 'view'],
	[{ constant: false, payable: false }, 'nonpayable'],
	[{ constant: false, payable: true }, 'payable'],
	[{}, undefined],
])('parseAbi reads the mutability of %j', (members, expected) => {
	expect(parseAbi([{ name: 'f', ...members }]).functions[0]?.stateMutability).toBe(expected);
});

it.each<[string, unknown, RegExp]>([
	['', '', /is empty/],
	['', undefined, /is empty/],
	['not JSON', '[{"type":', /not JSON/],
	['a number', 12, /neither a list nor an object/],
	['no abi', { bytecode: '0x' }, /neither a list/],
	['no function', '[{"type":"event","name":"E","inputs":[]}]', /contains no function/],
	['too many functions', 'f()\n'.repeat(10_001), /contains 10001 entries/],
	['too many entries', new Array<number>(500_000).fill(7), /contains 500000 entries/],
])('parseAbi refuses %s', (_what, source, message) => {
	const refusal = refusalOf(() => parseAbi(source));
	expect(refusal).toMatchObject({ parameter: 'contractAbi', hint: expect.stringMatching(/./) });
	expect(refusal.message).toMatch(message);
});

it('names in a JSON ABI are addressed by index if two are the same', async () => {
	const [same] = parseAbi([fn('f', 'uint256 a, bool a', [])]).functions;
	if (same === undefined) throw new Error('no function');
	const encode = async (args: unknown) => await encodeArguments(same, args, 'args', resolveBy());
	expect(await encode({ 0: '5', 1: true })).toEqual(['5', 'true']);
	await expect(encode({ a: '5' })).rejects.toThrow(/Unknown entry "a"/);
});

it('names in a JSON ABI are not sent if they look like a type', () => {
	const { functions } = parseAbi([fn('f', [], 'uint256 string, bool uint8, bool ok')]);
	const sent = functions.map((odd) => abbreviatedSignature(odd, 'read'));
	expect(sent).toEqual(['f() public view returns (uint256, bool, bool ok)']);
});

const functions = parseAbi(abi);

it('findFunction finds by full types, and by a name that only one function has', () => {
	const long = 'transfer(address,uint256,bytes)';
	expect(findFunction(functions, long).key).toBe(long);
	expect(findFunction(functions, 'balanceOf').key).toBe('balanceOf(address)');
});

it('findFunction lists the overloads, and refuses an unknown name', () => {
	const refusal = refusalOf(() => findFunction(functions, 'transfer', { parameter: 'function' }));
	const hint = 'Choose one of: transfer(address,uint256), transfer(address,uint256,bytes)';
	expect(refusal).toMatchObject({ parameter: 'function', hint });
	expect(() => findFunction(functions, 'mint(address)')).toThrow(/no function "mint\(address\)"/);
});

const good = fn('good', 'address a', 'bool', 'nonpayable');
const swap = (inputs: unknown, outputs: unknown = [], mutability?: string) =>
	fn('swap', inputs, outputs, mutability);
const NO_SWAP = /^The ABI contains no function "swap"\. One entry of the ABI cannot be read: /;
const last = fn('last', [], 'uint256', 'view');

/** A type in tuples nested to a given depth, which may exceed any compiler's output and what the stack allows. */
const nested = (depth: number): unknown => {
	let entry: unknown = { type: 'uint256' };
	for (let level = 0; level < depth; level += 1) entry = { type: 'tuple', components: [entry] };
	return entry;
};

const AT = 'abi[1] ("swap"), ';
const NO_TYPE = 'this is not an ABI type';
const NO_NAME = 'this is not the name of a function';
const LIST = tuple('bool, Token', 't', '[]');
const FIXED = swap([], 'ufixed128x18', 'view');
const NO_LIST = { ...swap([]), inputs: 'address' };
const METHOD = { type: 'method', name: 'swap' };

it.each<[what: string, entry: unknown, problem: string]>([
	['a fixed-point type', swap('fixed128x18'), `${AT}"fixed128x18": ${NO_TYPE}`],
	['a user-defined type', swap([LIST]), `${AT}"Token": ${NO_TYPE}`],
	['a wrong size', swap('uint7'), `${AT}"uint7": no type has this size`],
	['a wrong array', swap('uint256[0]'), `${AT}"uint256[0]": ${NO_TYPE}`],
	['text before a type', swap('1uint256'), `${AT}"1uint256": ${NO_TYPE}`],
	['a wrong return', FIXED, `${AT}"ufixed128x18": ${NO_TYPE}`],
	['an empty tuple', swap([{ type: 'tuple' }]), `${AT}undefined: this is not a list of parameters`],
	['tuples without end', swap([nested(20_000)]), ': tuples are nested too deeply'],
	['no type', swap([{ name: 'a' }]), ': this is not a parameter with a type'],
	['no list', fn('swap', 12, []), `${AT}12: this is not a list of parameters`],
	['text in place of one', NO_LIST, `${AT}"address": this is not a list of parameters`],
	['a wrong mutability', swap([], [], 'veiw'), `${AT}"veiw": this is not a state mutability`],
	['an unknown kind', METHOD, `${AT}"method": this is not a type of ABI entry`],
	['an odd name', fn('swap it', [], []), `"swap it": ${NO_NAME}`],
	['no name', fn('', [], []), `At abi[1], "": ${NO_NAME}`],
	['a name that is not text', fn(12, [], []), `At abi[1], 12: ${NO_NAME}`],
	['a number', 7, 'At abi[1], 7: this is not an ABI entry'],
	['nothing', null, 'At abi[1], null: this is not an ABI entry'],
	['a bad line', 'function swap(uint7)', 'In abi[1]: At character 15, "uint7": no type'],
])('an unreadable entry refuses only its own function: %s', (_what, entry, problem) => {
	const abi = parseAbi([good, entry, last]);
	expect(abi.functions.map(({ key }) => key)).toEqual(['good(address)', 'last()']);
	const sent = abbreviatedSignature(findFunction(abi, 'good(address)'), 'write');
	expect(sent).toBe('good(address) public returns (bool)');
	const find = () => findFunction(abi, 'swap', { parameter: 'contractFunction' });
	const { message, hint, parameter } = refusalOf(find);
	expect(message).toMatch(NO_SWAP);
	expect(message).toContain(problem);
	expect([hint, parameter]).toEqual(['Choose one of: good(address), last()', 'contractFunction']);
	expect(abi.unreadable?.hint).toMatch(/./);
});

it('unreadable entries are counted', () => {
	const abi = parseAbi({ abi: [good, fn('', [], []), swap('uint7')] });
	expect(() => findFunction(abi, 'mint(address)')).toThrow(
		'The ABI contains no function "mint(address)". 2 entries of the ABI cannot be read: At abi[1], "": this is not the name of a function, …',
	);
	expect(() => findFunction(abi, '')).toThrow(/^No function is chosen\. 2 entries/);
});

it('an unreadable entry may have the name of another function, which its full types choose', () => {
	const abi = parseAbi([fn('pay', 'address', []), fn('pay', 'fixed', [])]);
	expect(findFunction(abi, 'pay(address)').key).toBe('pay(address)');
	const { message, hint } = refusalOf(() => findFunction(abi, 'pay'));
	expect(message).toMatch(/^More than one entry may match the function "pay"\. One .*"fixed"/);
	expect(hint).toBe('Choose one of: pay(address)');
});

it('an unreadable entry may be the only function of an ABI', () => {
	const abi = parseAbi([swap('fixed')]);
	expect(abi.functions).toEqual([]);
	const { message, hint } = refusalOf(() => findFunction(abi, 'swap'));
	expect(message).toMatch(NO_SWAP);
	expect(message).toContain('"fixed": this is not an ABI type');
	expect(hint).toMatch(/^Use uint256, /);
});

it.each<[what: string, bad: string, message: RegExp]>([
	['a wrong type', 'b(uint7)', /On line 2: At character 3, "uint7".*"b\(uint7\)"/],
	['no closing parenthesis', 'function b(uint256', /On line 2: At the end/],
	['other words', 'no signature at all', /On line 2: At character 4, "signature"/],
])('an unreadable line refuses only its own function: %s', (_what, bad, message) => {
	const lines = ['function a() view returns (uint256)', bad, 'function c(address to)', ''];
	for (const separator of ['\n', '\r\n', ';\n']) {
		const abi = parseAbi(lines.join(separator));
		expect(abi.functions.map(({ key }) => key)).toEqual(['a()', 'c(address)']);
		expect(() => findFunction(abi, 'b')).toThrow(message);
		expect(findFunction(abi, 'a()').stateMutability).toBe('view');
	}
});
