import { FunctionFragment, Interface } from 'ethers';

import { abbreviatedSignature } from '../../../../nodes/WalletService/contract/function.ts';
import { encodeArguments } from '../../../../nodes/WalletService/contract/arguments.ts';
import { calldata, selector } from '../../../../nodes/WalletService/contract/call.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { resolveBy } from '../../support/contract/resolve.mts';
import { wellFormed } from '../../support/contract/well-formed.mts';

/** The service's parser reserves these names, so they cannot be sent as function names either. */
const UNSENDABLE = new Set(['receive']);

const full = (parameters: readonly { format: (form: 'full') => string }[]) =>
	parameters.map((parameter) => parameter.format('full'));

describe('parseSignature', () => {
	it('is tried on at least 60 signatures', () => {
		expect(new Set(wellFormed.map(({ signature }) => signature)).size).toBeGreaterThanOrEqual(60);
	});

	it.each(wellFormed)('$signature', async ({ signature, declared, args }) => {
		const fn = parseSignature(signature);
		expect(fn.name).toBe(declared.name);
		expect(full(fn.inputs)).toEqual(full(declared.inputs));
		expect(selector(fn)).toBe(declared.selector);
		const encoded = await encodeArguments(fn, args, 'args', resolveBy());
		const byEthers = new Interface([declared]).encodeFunctionData(declared, args);
		expect(calldata(fn, encoded)).toBe(byEthers);

		if (UNSENDABLE.has(fn.name)) return;
		for (const operation of ['read', 'write'] as const) {
			const sent = FunctionFragment.from(`function ${abbreviatedSignature(fn, operation)}`);
			expect(sent.selector).toBe(declared.selector);
			expect(full(sent.outputs)).toEqual(full(declared.outputs));
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

	it.each(
		'onlyOwner onlyRole whenNotPaused nonReentrant initializer reinitializer onlyInitializing onlyProxy notDelegated ifAdmin lock auth ensure note gated restricted authorized isOwner validRecipient checkDeadline requiresAuth pausable stoppable live cap throttle viaRouter viewOnly publicSale externalGuard _only $only A only2'.split(
			' ',
		),
	)('takes %s for a modifier of the contract, with or without arguments', (word) => {
		for (const list of [
			'',
			'()',
			' (ADMIN)',
			'(keccak256("A"), 2 ether, address(this), (a + b))',
		]) {
			const { stateMutability, outputs } = parseSignature(
				`function f(uint256 a) external ${word}${list} payable returns (bool ok)`,
			);
			expect([stateMutability, outputs.length]).toEqual(['payable', 1]);
		}
	});
});

describe('abbreviatedSignature', () => {
	it.each([
		[
			'function balanceOf(address owner) external view returns (uint)',
			'read',
			'balanceOf(address) public view returns (uint256)',
		],
		['add(int a) pure returns (int)', 'read', 'add(int256) public view returns (int256)'],
		['totalSupply()', 'read', 'totalSupply() public view'],
		['mint(uint amount) returns (bool ok)', 'write', 'mint(uint256) public returns (bool ok)'],
		['claim(uint256,bytes) external payable', 'write', 'claim(uint256,bytes) public payable'],
		['mint(address,uint256)', 'write', 'mint(address,uint256) public'],
		[
			'f(tuple(address a, (uint8 b)[2] c)[] d) returns (tuple(uint x, (bool)[] y) z, string memory)',
			'write',
			'f((address,(uint8)[2])[]) public returns ((uint256 x, (bool)[] y) z, string)',
		],
		// Names of returned values that would make the signature unreadable are left out.
		[
			'f() view returns (uint256 error, (bool event, bool fine) struct, int256 receive)',
			'read',
			'f() public view returns (uint256, (bool, bool fine), int256)',
		],
	] as const)('%s sent as a %s', (signature, operation, expected) => {
		const sent = abbreviatedSignature(parseSignature(signature), operation);
		expect(sent).toBe(expected);
		expect(FunctionFragment.from(`function ${sent}`).outputs).toHaveLength(
			parseSignature(signature).outputs.length,
		);
	});
});
