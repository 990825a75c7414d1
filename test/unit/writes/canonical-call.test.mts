/** What makes two calls the same one: everything that decides what happens, and nothing of how it was written. */
import type { ContractCall } from '../../../nodes/WalletService/contract/call.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { canonicalCall } from '../../../nodes/WalletService/writes/identity.ts';

const ADDRESS = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const TO = '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512';
const TRANSFER = 'transfer(address,uint256)';
const BASE_URL = 'https://wallet.example';

interface Changes extends Partial<ContractCall> {
	readonly signature?: string;
	readonly baseUrl?: string;
}

/** A call of `transfer(TO, 5)`, with these changes. */
function callOf({ signature = TRANSFER, baseUrl = BASE_URL, ...changes }: Changes = {}) {
	const contractFunction = parseSignature(signature);
	const call = { address: ADDRESS, abi: '', args: [TO, '5'], ...changes };
	return canonicalCall(baseUrl, { call, contractFunction, resolvedAddresses: {} });
}

test.each([
	['names of arguments', { signature: 'transfer(address to, uint256 amount)' }],
	['the case of the contract', { address: ADDRESS.toLowerCase() }],
	['the case of an address', { args: ['0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512', '5'] }],
	['a value of nothing', { value: '0' }],
	['the text of the ABI', { abi: 'transfer(address,uint256) public' }],
] satisfies [string, Changes][])('%s makes no other call', (_what, changes: Changes) => {
	expect(callOf(changes).digest).toBe(callOf().digest);
});

test.each([
	['the service', { baseUrl: 'https://other.example' }],
	['the contract', { address: TO }],
	['the function', { signature: 'approve(address,uint256)' }],
	['an argument', { args: [TO, '6'] }],
	['the value', { value: '1' }],
] satisfies [string, Changes][])('%s makes another call', (_what, changes: Changes) => {
	expect(callOf(changes).digest).not.toBe(callOf().digest);
});

test('a person reads it as it was written', () => {
	expect(callOf({ value: '7' }).shown).toEqual({
		contractAddress: ADDRESS,
		function: 'transfer(address,uint256)',
		args: [TO, '5'],
		value: '7',
	});
	expect(callOf().shown.value).toBe('0');
});
