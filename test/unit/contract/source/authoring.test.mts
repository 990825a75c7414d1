import {
	argumentFieldsOf,
	argumentsFromFields,
} from '../../../../nodes/WalletService/contract/arguments.ts';
import {
	refuseReadInWrite,
	refuseWriteInRead,
} from '../../../../nodes/WalletService/contract/guards.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';

const shownFields = (signature: string) => {
	const fields = argumentFieldsOf(parseSignature(signature));
	return fields.map(({ id, displayName, type }) => [id, displayName, type]);
};

describe('argumentFields', () => {
	it('labels each parameter with its type and has the right kind of input', () => {
		const signature =
			'f(uint256 amount, address recipient, bool ok, bytes, string[] names, (address to, uint96 n)[2] pay, (bool a) t, (bool,bool) u)';
		expect(shownFields(signature)).toEqual([
			['amount (uint256)', 'amount (uint256)', 'string'],
			['recipient (address)', 'recipient (address)', 'string'],
			['ok (bool)', 'ok (bool)', 'boolean'],
			['argument 4 (bytes)', 'argument 4 (bytes)', 'string'],
			['names (string[])', 'names (string[])', 'array'],
			['pay ((address,uint96)[2])', 'pay ((address to, uint96 n)[2])', 'array'],
			['t ((bool))', 't ((bool a))', 'object'],
			['u ((bool,bool))', 'u ((bool, bool))', 'array'],
		]);
	});

	it('shows every field and has ids that change with name and type', () => {
		const fields = argumentFieldsOf(parseSignature('f(uint256 a, uint256, uint256)'));
		expect(fields.every(({ required, display }) => !required && display)).toBe(true);
		expect(new Set(fields.map(({ id }) => id)).size).toBe(3);
		expect(shownFields('f(uint256 a)')).not.toEqual(shownFields('f(uint8 a)'));
	});
});

describe('argumentsFromFields', () => {
	const fn = parseSignature('transfer(address to, uint256 amount)');

	it('puts the values in order and passes over those of another function', () => {
		const values = { 'amount (uint256)': '5', 'owner (address)': 'x', 'to (address)': 'DISCORD-1' };
		expect(argumentsFromFields(fn, values)).toEqual(['DISCORD-1', '5']);
	});

	it('takes an untouched toggle as off', () => {
		const approve = parseSignature('setApprovalForAll(address, bool ok)');
		for (const ok of [null, true]) {
			const fields = { 'argument 1 (address)': '0x', 'ok (bool)': ok };
			expect(argumentsFromFields(approve, fields)).toEqual(['0x', ok ?? false]);
		}
	});

	it.each([[{ 'to (address)': '0x' }], [{ 'to (address)': '0x', 'amount (uint256)': null }]])(
		'names the field without a value: %j',
		(values) => {
			expect(() => argumentsFromFields(fn, values)).toThrow(
				expect.objectContaining({ name: 'InvalidInputError', parameter: 'amount (uint256)' }),
			);
		},
	);
});

describe('guards', () => {
	it.each(['f() view', 'f() pure', 'f()', 'f() external'])('a read takes %s', (signature) => {
		expect(() => refuseWriteInRead(parseSignature(signature))).not.toThrow();
	});

	it.each(['f() nonpayable', 'f() payable'])('a read refuses %s', (signature) => {
		expect(() => refuseWriteInRead(parseSignature(signature), 'abi')).toThrow(
			expect.objectContaining({ parameter: 'abi', hint: expect.stringContaining('Write') }),
		);
	});

	it.each([
		['f() nonpayable', 0n],
		['f() payable', 5n],
		['f()', 5n],
		['f() external', 5n],
	])('a write takes %s with a value of %s', (signature, value) => {
		expect(() => refuseReadInWrite(parseSignature(signature), value)).not.toThrow();
	});

	it.each([
		['f() view', 0n, 'abi', /Read/],
		['f() pure', 0n, 'abi', /Read/],
		['f() nonpayable', 1n, 'value', /Remove the option/],
	])('a write refuses %s with a value of %s', (signature, value, parameter, hint) => {
		expect(() => refuseReadInWrite(parseSignature(signature), value)).toThrow(
			expect.objectContaining({ parameter, hint: expect.stringMatching(hint) }),
		);
	});
});
