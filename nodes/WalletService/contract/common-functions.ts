import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ContractFunction, ContractOperation } from './function';
import { functionKey } from './function';
import { isReadOnly } from './guards';
import { parseSignature } from './source/signature';

/** A function that a token standard defines. */
export interface CommonFunction {
	/** Stable: `ERC-20 transfer(address,uint256)`. */
	readonly id: string;
	/** What it does, in words: `Send Tokens (ERC-20 transfer)`. */
	readonly title: string;
	/** The function with the names of its parameters, as the standard writes it. */
	readonly declaration: string;
	readonly fn: ContractFunction;
}

/**
 * ERC-20, ERC-721 and ERC-1155, with the parameter names of the standards and the mutability that tokens implement: what each
 * function does in words, and its declaration. The first one of each operation is preselected.
 */
const STANDARDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'ERC-20': {
		'Balance of an Address': 'balanceOf(address owner) view returns (uint256)',
		'Amount That a Spender May Spend':
			'allowance(address owner, address spender) view returns (uint256)',
		'Total Supply of a Token': 'totalSupply() view returns (uint256)',
		'Decimals of a Token': 'decimals() view returns (uint8)',
		'Send Tokens': 'transfer(address to, uint256 amount) nonpayable returns (bool)',
		'Allow a Spender to Spend Tokens':
			'approve(address spender, uint256 amount) nonpayable returns (bool)',
		'Send Tokens of Another Wallet':
			'transferFrom(address from, address to, uint256 amount) nonpayable returns (bool)',
	},
	'ERC-721': {
		'Owner of an NFT': 'ownerOf(uint256 tokenId) view returns (address)',
		'Number of NFTs of an Address': 'balanceOf(address owner) view returns (uint256)',
		'Link to the Data of an NFT': 'tokenURI(uint256 tokenId) view returns (string)',
		'Send an NFT': 'safeTransferFrom(address from, address to, uint256 tokenId) nonpayable',
		'Send an NFT With Data':
			'safeTransferFrom(address from, address to, uint256 tokenId, bytes data) nonpayable',
		'Allow an Address to Send an NFT': 'approve(address to, uint256 tokenId) nonpayable',
		'Allow an Address to Send All NFTs':
			'setApprovalForAll(address operator, bool approved) nonpayable',
	},
	'ERC-1155': {
		'Balance of an Item': 'balanceOf(address account, uint256 id) view returns (uint256)',
		'Balances of Several Items':
			'balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
		'Send an Item':
			'safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data) nonpayable',
		'Allow an Address to Send All Items':
			'setApprovalForAll(address operator, bool approved) nonpayable',
	},
};

const COMMON_FUNCTIONS: readonly CommonFunction[] = Object.entries(STANDARDS).flatMap(
	([standard, functions]) =>
		Object.entries(functions).map(([words, declaration]) => {
			const fn = parseSignature(declaration);
			const title = `${words} (${standard} ${fn.name})`;
			return { id: `${standard} ${functionKey(fn)}`, title, declaration, fn };
		}),
);

/**
 * The common functions that an operation offers: view ones for a read, all others for a write.
 *
 * @example commonFunctionsFor('write')[0]?.id // 'ERC-20 transfer(address,uint256)'
 */
export function commonFunctionsFor(operation: ContractOperation): CommonFunction[] {
	return COMMON_FUNCTIONS.filter(({ fn }) => isReadOnly(fn) === (operation === 'read'));
}

/**
 * Finds a common function by its ID, whatever operation it is for.
 *
 * @param choice the node parameter that chooses the function, and the operation, for errors
 * @throws InvalidInputError when there is none.
 * @example
 * commonFunction('ERC-20 decimals()', { parameter: 'readFunction', operation: 'read' }).name // 'decimals'
 */
export function commonFunction(
	id: unknown,
	{ parameter, operation }: { parameter: string; operation: ContractOperation },
): ContractFunction {
	const found = COMMON_FUNCTIONS.find((common) => common.id === id);
	if (found !== undefined) return found.fn;
	throw new InvalidInputError({
		parameter,
		value: id,
		message: id === '' ? 'No function is chosen' : `${quote(id)} is not a common function`,
		hint: `Choose one from the list, for example ${commonFunctionsFor(operation)[0]?.id ?? ''}`,
	});
}
