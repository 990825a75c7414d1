import { FunctionFragment, Interface } from 'ethers';

import { abbreviatedSignature } from '../../../../nodes/WalletService/contract/function.ts';
import { encodeArguments } from '../../../../nodes/WalletService/contract/arguments.ts';
import { calldata, selector } from '../../../../nodes/WalletService/contract/call.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { resolveBy } from '../../support/contract/resolve.mts';
import { shapeRows } from '../../support/contract/well-formed-shapes.mts';
import { typeRows } from '../../support/contract/well-formed-types.mts';

const rows = [...typeRows, ...shapeRows];

/** Names that the parser of the service keeps for itself cannot be sent as a function name either. */
const UNSENDABLE = new Set(['receive']);

describe('parseSignature', () => {
	it('is tried on at least 60 signatures', () => {
		expect(new Set(rows.map(({ signature }) => signature)).size).toBeGreaterThanOrEqual(60);
	});

	it.each(rows)('$signature', async ({ signature, name, inputs, outputs, args }) => {
		const contract = new Interface([{ type: 'function', name, inputs, outputs }]);
		const declared = contract.getFunction(name);
		if (declared === null) throw new Error(`ethers finds no ${name}`);

		const fn = parseSignature(signature);
		expect(fn.name).toBe(name);
		expect(fn.inputs.map((input) => input.format('full'))).toEqual(
			declared.inputs.map((input) => input.format('full')),
		);
		expect(selector(fn)).toBe(declared.selector);
		const encoded = await encodeArguments(fn, args, 'args', resolveBy());
		expect(calldata(fn, encoded)).toBe(contract.encodeFunctionData(name, args));

		if (UNSENDABLE.has(name)) return;
		for (const operation of ['read', 'write'] as const) {
			const sent = FunctionFragment.from(`function ${abbreviatedSignature(fn, operation)}`);
			expect(sent.selector).toBe(declared.selector);
			expect(sent.outputs.map((output) => output.format('full'))).toEqual(
				declared.outputs.map((output) => output.format('full')),
			);
			expect(sent.constant).toBe(operation === 'read');
		}
	});

	it.each([
		['f()', undefined],
		['f() external', undefined],
		['f() external view', 'view'],
		['f() constant', 'view'],
		['f() pure', 'pure'],
		['f() payable', 'payable'],
		['f() nonpayable', 'nonpayable'],
	])('%s has the state mutability %s', (signature, expected) => {
		expect(parseSignature(signature).stateMutability).toBe(expected);
	});
});

describe('abbreviatedSignature', () => {
	it.each([
		[
			'function balanceOf(address owner) external view returns (uint)',
			'read',
			'balanceOf(address) public view returns (uint256)',
		],
		[
			'add(int a, int b) pure returns (int)',
			'read',
			'add(int256,int256) public view returns (int256)',
		],
		['totalSupply()', 'read', 'totalSupply() public view'],
		[
			'transfer(address to, uint amount) returns (bool success)',
			'write',
			'transfer(address,uint256) public returns (bool success)',
		],
		['claim(uint256,bytes) external payable', 'write', 'claim(uint256,bytes) public payable'],
		['mint(address,uint256)', 'write', 'mint(address,uint256) public'],
		[
			'f(tuple(address a, (uint8 b)[2] c)[] d) returns (tuple(uint x, (bool)[] y) z, string memory)',
			'write',
			'f((address,(uint8)[2])[]) public returns ((uint256 x, (bool)[] y) z, string)',
		],
	] as const)('%s sent as a %s', (signature, operation, expected) => {
		expect(abbreviatedSignature(parseSignature(signature), operation)).toBe(expected);
	});

	it('drops a return name that would make the signature unreadable', () => {
		const fn = parseSignature(
			'f() view returns (uint256 error, (bool event, bool fine) struct, int256 receive)',
		);
		const sent = abbreviatedSignature(fn, 'read');
		expect(sent).toBe('f() public view returns (uint256, (bool, bool fine), int256)');
		expect(FunctionFragment.from(sent).outputs).toHaveLength(3);
	});
});
