import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ContractFunction } from './function';
import { functionKey } from './function';
import { isReadOnly } from './guards';
import { parseSignature } from './signature';

/** A function that a token standard defines. */
export interface CommonFunction {
	/** Stable: `ERC-20 transfer(address,uint256)`. */
	readonly id: string;
	readonly standard: string;
	/** The function with the names of its parameters, as the standard writes it. */
	readonly declaration: string;
	readonly fn: ContractFunction;
}

/** ERC-20, ERC-721 and ERC-1155, with the parameter names of the standards and the mutability that tokens implement. */
const STANDARDS: Readonly<Record<string, readonly string[]>> = {
	'ERC-20': [
		'balanceOf(address owner) view returns (uint256)',
		'allowance(address owner, address spender) view returns (uint256)',
		'totalSupply() view returns (uint256)',
		'decimals() view returns (uint8)',
		'transfer(address to, uint256 amount) nonpayable returns (bool)',
		'approve(address spender, uint256 amount) nonpayable returns (bool)',
		'transferFrom(address from, address to, uint256 amount) nonpayable returns (bool)',
	],
	'ERC-721': [
		'ownerOf(uint256 tokenId) view returns (address)',
		'balanceOf(address owner) view returns (uint256)',
		'tokenURI(uint256 tokenId) view returns (string)',
		'safeTransferFrom(address from, address to, uint256 tokenId) nonpayable',
		'safeTransferFrom(address from, address to, uint256 tokenId, bytes data) nonpayable',
		'approve(address to, uint256 tokenId) nonpayable',
		'setApprovalForAll(address operator, bool approved) nonpayable',
	],
	'ERC-1155': [
		'balanceOf(address account, uint256 id) view returns (uint256)',
		'balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
		'safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data) nonpayable',
		'setApprovalForAll(address operator, bool approved) nonpayable',
	],
};

const COMMON_FUNCTIONS: readonly CommonFunction[] = Object.entries(STANDARDS).flatMap(
	([standard, signatures]) =>
		signatures.map((declaration) => {
			const fn = parseSignature(declaration);
			return { id: `${standard} ${functionKey(fn)}`, standard, declaration, fn };
		}),
);

/**
 * The common functions that an operation offers: view ones for a read, all others for a write.
 *
 * @example commonFunctionsFor('write')[0]?.id // 'ERC-20 transfer(address,uint256)'
 */
export function commonFunctionsFor(operation: 'read' | 'write'): CommonFunction[] {
	return COMMON_FUNCTIONS.filter(({ fn }) => isReadOnly(fn) === (operation === 'read'));
}

/**
 * Finds a common function by its ID.
 *
 * @param parameter the node parameter that chooses the function, for errors
 * @throws InvalidInputError when there is none.
 * @example commonFunction('ERC-20 decimals()').name // 'decimals'
 */
export function commonFunction(id: unknown, parameter = 'commonFunction'): ContractFunction {
	const found = COMMON_FUNCTIONS.find((common) => common.id === id);
	if (found !== undefined) return found.fn;
	throw new InvalidInputError({
		parameter,
		value: id,
		message: id === '' ? 'No function is chosen' : `${quote(id)} is not a common function`,
		hint: `Choose one from the list, for example ${COMMON_FUNCTIONS[0]?.id ?? ''}`,
	});
}
