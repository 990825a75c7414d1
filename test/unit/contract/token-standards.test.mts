/** The functions of the token standards: their parameters and labels. For amounts, see token-amount.test.mts. */
import { argumentFieldsOf } from '../../../nodes/WalletService/contract/arguments.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import {
	commonFunctionsFor,
	findCommonFunction,
	knownFunction,
} from '../../../nodes/WalletService/contract/token-standards.ts';

test('n8n derives a distinct name for a model from each label', () => {
	const functions = (['read', 'write'] as const).flatMap(commonFunctionsFor);
	for (const { fn } of functions) {
		// This is how n8n's editor derives the keys of fields that the model fills in.
		const keys = argumentFieldsOf(fn).map(({ displayName }) =>
			displayName.slice(0, 63).replace(/[^a-zA-Z0-9-]/g, '_'),
		);
		expect(new Set(keys).size).toBe(keys.length);
		for (const [index, key] of keys.entries()) {
			expect(key).toMatch(/^[a-zA-Z0-9_-]{1,63}$/);
			expect(key.startsWith(`${fn.inputs[index]?.name}__`)).toBe(true);
		}
	}
});

test('arguments of the token standards are labelled in words, others by name and type', () => {
	const labels = (signature: string) =>
		argumentFieldsOf(parseSignature(signature)).map(({ id, displayName }) => [id, displayName]);
	expect(labels('transfer(address dst, uint wad)')).toEqual([
		['dst (address)', 'dst: address or user ID'],
		['wad (uint256)', 'wad, e.g. 12.5 token'],
	]);
	expect(labels('approve(address,uint256)')).toEqual([
		['argument 1 (address)', 'spender: address or user ID'],
		['argument 2 (uint256)', 'amount, e.g. 12.5 token'],
	]);
	const [, tokenId] = labels('approve(address to, uint256 tokenId)');
	expect(tokenId).toEqual(['tokenId (uint256)', 'tokenId: ID of the NFT']);
	const [, amount] = labels('transfer(address to, uint128 amount)');
	expect(amount).toEqual(['amount (uint128)', 'amount (uint128)']);
});

/** Functions by selector, as in the 4-byte directory; the form offers those marked `read` or `write`, in this order. */
const STANDARDS = `
0x70a08231 | ERC-20 balanceOf(address) | owner | read
0xdd62ed3e | ERC-20 allowance(address,address) | owner spender | read
0x18160ddd | ERC-20 totalSupply() |  | read
0x313ce567 | ERC-20 decimals() |  | read
0x6352211e | ERC-721 ownerOf(uint256) | tokenId | read
0x70a08231 | ERC-721 balanceOf(address) | owner | read
0xc87b56dd | ERC-721 tokenURI(uint256) | tokenId | read
0x00fdd58e | ERC-1155 balanceOf(address,uint256) | owner kind | read
0x4e1273f4 | ERC-1155 balanceOfBatch(address[],uint256[]) | owners ids | read
0xa9059cbb | ERC-20 transfer(address,uint256) | recipient amount | write
0x095ea7b3 | ERC-20 approve(address,uint256) | spender amount | write
0x23b872dd | ERC-20 transferFrom(address,address,uint256) | sender recipient amount | write
0x39509351 | ERC-20 increaseAllowance(address,uint256) | spender amount
0xa457c2d7 | ERC-20 decreaseAllowance(address,uint256) | spender amount
0x23b872dd | ERC-721 transferFrom(address,address,uint256) | sender recipient tokenId
0x42842e0e | ERC-721 safeTransferFrom(address,address,uint256) | sender recipient tokenId | write
0xb88d4fde | ERC-721 safeTransferFrom(address,address,uint256,bytes) | sender recipient tokenId data | write
0x095ea7b3 | ERC-721 approve(address,uint256) | spender tokenId | write
0xa22cb465 | ERC-721 setApprovalForAll(address,bool) | operator approved | write
0xf242432a | ERC-1155 safeTransferFrom(address,address,uint256,uint256,bytes) | sender recipient kind quantity data | write
0xa22cb465 | ERC-1155 setApprovalForAll(address,bool) | operator approved | write
0x2eb2c2d6 | ERC-1155 safeBatchTransferFrom(address,address,uint256[],uint256[],bytes) | sender recipient kinds quantities data
`
	.trim()
	.split('\n')
	.map((line) => line.split(' | '));

test.each(STANDARDS)('the parameters of %s, %s, are %s', (selector = '', id, roles) => {
	const standards = ['erc20', 'erc721', 'erc1155'] as const;
	const found = standards.map((standard) => knownFunction(selector, standard));
	const known = found.find((one) => one?.id === id);
	expect(known?.roles.join(' ')).toBe(roles);
	expect(known?.roles).toHaveLength(known?.fn.inputs.length ?? NaN);
	const first = found.find((one) => one !== undefined);
	expect([knownFunction(selector), knownFunction(known?.fn.key ?? '')]).toEqual([first, first]);
});

test.each(['read', 'write'] as const)('the form offers those for a %s, in order', (operation) => {
	const offered = commonFunctionsFor(operation).map(({ id }) => {
		const common = findCommonFunction(id, { parameter: 'x', operation });
		return [common.selector, id];
	});
	const wanted = STANDARDS.filter(([, , , form]) => form === operation);
	expect(offered).toEqual(wanted.map(([selector, id]) => [selector, id]));
	const find = () => findCommonFunction('ERC-20 mint', { parameter: 'x', operation });
	expect(find).toThrow(/not a common function/);
});

test('permit is described only up to its amount, and no other function is known', () => {
	const roles = knownFunction('0xd505accf')?.roles;
	expect(roles).toEqual(['owner', 'spender', 'amount']);
	expect(knownFunction('0x12345678')).toBeUndefined();
	expect(knownFunction('0xa9059cbb', 'erc721')).toBeUndefined();
});
