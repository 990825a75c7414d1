import { Interface } from 'ethers';

import {
	findFunction,
	functionsFor,
	parseAbi,
} from '../../../../nodes/WalletService/contract/source/abi.ts';
import { encodeArguments } from '../../../../nodes/WalletService/contract/arguments.ts';
import { selector } from '../../../../nodes/WalletService/contract/call.ts';
import {
	abbreviatedSignature,
	functionKey,
} from '../../../../nodes/WalletService/contract/function.ts';
import { fn, param, params, tuple } from '../../support/contract/samples.mts';
import { resolveBy } from '../../support/contract/resolve.mts';

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

describe('parseAbi', () => {
	const keys = [
		'balanceOf(address)',
		'sum(uint256[])',
		'transfer(address,uint256)',
		'transfer(address,uint256,bytes)',
		'deposit((address,uint96)[2][])',
	];

	it.each<[string, unknown]>([
		['JSON text', text],
		['values', abi],
		['an artifact file', JSON.stringify({ contractName: 'Token', abi, bytecode: '0x' }, null, 2)],
		['an artifact as values', { abi }],
	])('reads %s', (_form, source) => {
		const read = parseAbi(source);
		const { functions } = read;
		expect(functions.map(functionKey)).toEqual(keys);
		expect(read.unreadable).toBeUndefined();
		const byEthers = new Interface(text);
		expect(functions.map(selector)).toEqual(keys.map((key) => byEthers.getFunction(key)?.selector));
		expect(functionsFor(read, 'read').map(({ name }) => name)).toEqual(['balanceOf', 'sum']);
		const writes = functionsFor(read, 'write').map(({ name }) => name);
		expect(writes).toEqual(['transfer', 'transfer', 'deposit']);
		const last = functions.map((one) => abbreviatedSignature(one, 'write')).at(-1);
		expect(last).toBe('deposit((address,uint96)[2][]) public payable');
	});

	const [A, E] = ['function a() view returns (uint256)', 'event E(address x)'];

	it.each([
		[
			'a line each',
			`${A}\n\n// events\n${E}\nerror Bad(uint256 x)\nb(address to)\nconstructor(address)\n`,
		],
		[
			'Solidity declarations',
			'/* token; the */\nfunction a()\n  external\n  view\n  returns (uint256);\nevent E(\n address x\n);\nfunction b(\n  address to // payee; wallet\n) external;',
		],
		['a JSON list of lines', JSON.stringify([A, E, 'b(address to)'])],
	])('reads human-readable text: %s', (_form, source) => {
		const { functions, unreadable } = parseAbi(source);
		expect(functions.map(functionKey)).toEqual(['a()', 'b(address)']);
		expect(unreadable).toBeUndefined();
		expect(functions.map(({ stateMutability }) => stateMutability)).toEqual(['view', undefined]);
	});

	it('reads as many functions as no contract has', () => {
		const lines = Array.from({ length: 10_000 }, (_, index) => `f${index}()`);
		expect(parseAbi(lines.join('\n')).functions).toHaveLength(10_000);
		expect(parseAbi(JSON.stringify(lines)).functions).toHaveLength(10_000);
	});

	it.each([
		[{ stateMutability: 'view' }, 'view'],
		[{ stateMutability: 'nonpayable' }, 'nonpayable'],
		[{ constant: true, payable: false }, 'view'],
		[{ constant: false, payable: false }, 'nonpayable'],
		[{ constant: false, payable: true }, 'payable'],
		[{}, undefined],
	])('reads the mutability of %j', (members, expected) => {
		expect(parseAbi([{ name: 'f', ...members }]).functions[0]?.stateMutability).toBe(expected);
	});

	it.each<[string, unknown, RegExp]>([
		['', '', /is empty/],
		['', undefined, /is empty/],
		['not JSON', '[{"type":', /not JSON/],
		['a number', 12, /neither a list nor an object/],
		['no abi', { bytecode: '0x' }, /neither a list/],
		['no function', '[{"type":"event","name":"E","inputs":[]}]', /contains no function/],
		['too many functions', 'f()\n'.repeat(10_001), /contains 10001 functions/],
		['too many entries', new Array<number>(500_000).fill(7), /contains 500000 functions/],
	])('refuses %s', (_what, source, message) => {
		expect(() => parseAbi(source, 'contractAbi')).toThrow(message);
		expect(() => parseAbi(source, 'contractAbi')).toThrow(
			expect.objectContaining({
				name: 'InvalidInputError',
				parameter: 'contractAbi',
				hint: expect.stringMatching(/./),
			}),
		);
	});
});

describe('names that a JSON ABI may hold', () => {
	it('are addressed by index if two are the same', async () => {
		const [same] = parseAbi([fn('f', 'uint256 a, bool a', [])]).functions;
		if (same === undefined) throw new Error('no function');
		const encode = async (args: unknown) => await encodeArguments(same, args, 'args', resolveBy());
		expect(await encode({ 0: '5', 1: true })).toEqual(['5', 'true']);
		await expect(encode({ a: '5' })).rejects.toThrow(/Unknown entry "a"/);
	});

	it('are not sent if they look like a type', () => {
		const { functions } = parseAbi([fn('f', [], 'uint256 string, bool uint8, bool ok')]);
		expect(functions.map((odd) => abbreviatedSignature(odd, 'read'))).toEqual([
			'f() public view returns (uint256, bool, bool ok)',
		]);
	});
});

describe('findFunction', () => {
	const functions = parseAbi(abi);

	it('finds by full types, and by a name that only one function has', () => {
		const long = 'transfer(address,uint256,bytes)';
		expect(functionKey(findFunction(functions, long))).toBe(long);
		expect(functionKey(findFunction(functions, 'balanceOf'))).toBe('balanceOf(address)');
	});

	it('lists the overloads, or what there is', () => {
		expect(() => findFunction(functions, 'transfer', { parameter: 'function' })).toThrow(
			expect.objectContaining({
				parameter: 'function',
				hint: 'Choose one of: transfer(address,uint256), transfer(address,uint256,bytes)',
			}),
		);
		expect(() => findFunction(functions, 'mint(address)')).toThrow(/no function "mint\(address\)"/);
	});
});
