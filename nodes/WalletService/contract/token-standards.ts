import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { ContractFunction, ContractOperation } from './function';
import { selector } from './function';
import { parseSignature } from './source/signature';

const PARTY = 'address or user ID';

/** The roles of parameters in known functions, with a hint for the input of each. */
export const ROLES = {
	owner: PARTY,
	owners: 'list of addresses or user IDs',
	/** ERC-1155: token IDs, one for each owner. */
	ids: 'list of token IDs, one for each account',
	/** The owner of the tokens. */
	sender: PARTY,
	recipient: PARTY,
	/** Is allowed to take an amount, or one NFT. */
	spender: PARTY,
	/** Is allowed to take all tokens of the contract. */
	operator: PARTY,
	approved: 'whether the operator may move all your tokens of this contract',
	allowed: 'unlimited, or false to take the permission back',
	number: 'whole number',
	token: 'address of the token',
	/** ERC-20, in base units. */
	amount: 'e.g. 12.5 token',
	/** ERC-721. */
	tokenId: 'ID of the NFT',
	kind: 'token ID',
	kinds: 'list of token IDs',
	quantity: 'quantity of the item',
	quantities: 'list of quantities, one for each token ID',
	data: '0x, unless the recipient expects data',
} as const;

export type ParameterRole = keyof typeof ROLES;

/**
 * The offered functions of ERC-20, ERC-721 and ERC-1155, by title, with the parameter names of the standards and the
 * usual mutability. The first function of each operation is preselected.
 */
const OFFERED = {
	erc20: {
		'Balance of an Address': 'balanceOf(address owner) view returns (uint256)',
		'Allowance of a Spender': 'allowance(address owner, address spender) view returns (uint256)',
		'Total Supply of a Token': 'totalSupply() view returns (uint256)',
		'Decimals of a Token': 'decimals() view returns (uint8)',
		'Send Tokens': 'transfer(address to, uint256 amount) nonpayable returns (bool)',
		'Allow a Spender to Spend Tokens':
			'approve(address spender, uint256 amount) nonpayable returns (bool)',
		'Send Tokens From Another Wallet':
			'transferFrom(address from, address to, uint256 amount) nonpayable returns (bool)',
	},
	erc721: {
		'Owner of an NFT': 'ownerOf(uint256 tokenId) view returns (address)',
		'Number of NFTs Owned by an Address': 'balanceOf(address owner) view returns (uint256)',
		'Link to the Metadata of an NFT': 'tokenURI(uint256 tokenId) view returns (string)',
		'Send an NFT': 'safeTransferFrom(address from, address to, uint256 tokenId) nonpayable',
		'Send an NFT With Data':
			'safeTransferFrom(address from, address to, uint256 tokenId, bytes data) nonpayable',
		'Allow an Address to Send an NFT': 'approve(address to, uint256 tokenId) nonpayable',
		'Allow an Address to Send All NFTs':
			'setApprovalForAll(address operator, bool approved) nonpayable',
	},
	erc1155: {
		'Balance of an Item': 'balanceOf(address account, uint256 id) view returns (uint256)',
		'Balances of Several Items':
			'balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
		'Send an Item':
			'safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data) nonpayable',
		'Allow an Address to Send All Items':
			'setApprovalForAll(address operator, bool approved) nonpayable',
	},
} as const;

/** Functions that are recognized but not offered. */
const NOT_OFFERED = {
	erc20: [
		...['increaseAllowance', 'decreaseAllowance', 'increaseApproval', 'decreaseApproval'].map(
			(name) => `${name}(address spender, uint256 amount) nonpayable returns (bool)`,
		),
		// ERC-677 and ERC-1363, then ERC-777.
		...['', ', bytes data'].flatMap((data) => [
			`transferAndCall(address to, uint256 amount${data}) nonpayable returns (bool)`,
			`transferFromAndCall(address from, address to, uint256 amount${data}) nonpayable returns (bool)`,
			`approveAndCall(address spender, uint256 amount${data}) nonpayable returns (bool)`,
		]),
		'send(address to, uint256 amount, bytes data) nonpayable',
		'authorizeOperator(address operator) nonpayable',
		'revokeOperator(address operator) nonpayable',
		// ERC-2612, USDC, DAI, MKR, Aave, Permit2.
		'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature) nonpayable',
		'permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'approve(address guy) nonpayable returns (bool)',
		'approveDelegation(address delegatee, uint256 amount) nonpayable',
		'delegationWithSig(address owner, address delegatee, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'approveWithAuthorization(address owner, address spender, uint256 value, uint256 after, uint256 before, bytes32 salt, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'increaseAllowanceWithAuthorization(address owner, address spender, uint256 value, uint256 after, uint256 before, bytes32 salt, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'approve(address token, address spender, uint160 amount, uint48 expiration) nonpayable',
	],
	erc721: ['transferFrom(address from, address to, uint256 tokenId) nonpayable'],
	erc1155: [
		// ERC-6909, which has the same kinds and quantities.
		'approve(address spender, uint256 id, uint256 amount) nonpayable returns (bool)',
		'setOperator(address spender, bool allowed) nonpayable returns (bool)',
		'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data) nonpayable',
	],
} as const;

export type TokenStandard = keyof typeof OFFERED;

export const STANDARDS = ['erc20', 'erc721', 'erc1155'] as const;

/** The roles of parameters whose names are not their roles, also of single functions. */
const ROLES_BY_NAME: Readonly<Record<TokenStandard, Readonly<Record<string, ParameterRole>>>> = {
	erc20: {
		from: 'sender',
		to: 'recipient',
		value: 'amount',
		guy: 'operator',
		delegatee: 'spender',
		holder: 'owner',
		nonce: 'number',
		expiry: 'number',
	},
	erc721: { from: 'sender', to: 'recipient', 'approve to': 'spender' },
	erc1155: {
		from: 'sender',
		to: 'recipient',
		account: 'owner',
		accounts: 'owners',
		id: 'kind',
		ids: 'kinds',
		'balanceOfBatch ids': 'ids',
		amount: 'quantity',
		amounts: 'quantities',
	},
};

/** A function that a token standard, or its usual implementation, defines. */
export interface KnownFunction {
	readonly standard: TokenStandard;
	/** A stable ID: `ERC-20 transfer(address,uint256)`. */
	readonly id: string;
	readonly selector: string;
	/** Its title, such as `Send Tokens (ERC-20 transfer)`; absent if it is not offered. */
	readonly title?: string;
	/** The declaration with the standard's parameter names. */
	readonly declaration: string;
	readonly fn: ContractFunction;
	/** The role of each parameter; those after the last one with a role are left out. */
	readonly roles: readonly ParameterRole[];
}

const isRole = (text: string): text is ParameterRole => Object.hasOwn(ROLES, text);

function knownFrom(standard: TokenStandard, declaration: string, words?: string): KnownFunction {
	const fn = parseSignature(declaration);
	const known = ROLES_BY_NAME[standard];
	const roles = fn.inputs
		.map(({ name }) => known[`${fn.name} ${name}`] ?? known[name] ?? name)
		.filter(isRole);
	const name = standard.replace('erc', 'ERC-');
	const title = words && `${words} (${name} ${fn.name})`;
	const id = `${name} ${fn.key}`;
	return { standard, id, selector: selector(fn), title, declaration, fn, roles };
}

const KNOWN: readonly KnownFunction[] = STANDARDS.flatMap((standard) => [
	...Object.entries(OFFERED[standard]).map(([words, row]) => knownFrom(standard, row, words)),
	...NOT_OFFERED[standard].map((row) => knownFrom(standard, row)),
]);

/**
 * Finds a token standard function by its selector. ERC-721 shares some selectors with ERC-20, which comes first.
 *
 * @param key the selector, or the name with full types of a function, which is found without hashing
 * @param standard the only standard to search
 * @example knownFunction('0x095ea7b3')?.roles // ['spender', 'amount']
 * @example knownFunction('approve(address,uint256)', 'erc721')?.roles // ['spender', 'tokenId']
 */
export function knownFunction(key: string, standard?: TokenStandard): KnownFunction | undefined {
	return KNOWN.find(
		(known) =>
			(known.selector === key || known.fn.key === key) &&
			(standard === undefined || known.standard === standard),
	);
}

/** Parameter names that mean an NFT's ID where ERC-20 has the amount. `paid` is not one of them. */
const NUMBERS_A_TOKEN = /^_*id_*$|(?:I[dD]|_id|token_?id|nft_?id)_*$|^TOKEN_?ID_*$/;

export interface RecognizedFunction extends KnownFunction {
	/** The roles by the names of the parameters: the amount may be the ID of an NFT. */
	readonly meant: readonly ParameterRole[];
	/** Whether ERC-721 has a function of the same name and types. */
	readonly isOfNft: boolean;
}

/**
 * Finds the token standard function of the same name and types; `undefined` if there is none.
 *
 * @example recognize(parseSignature('transfer(address dst, uint256 wad)'))?.meant[1] // 'amount'
 * @example recognize(parseSignature('approve(address to, uint256 nftId)'))?.meant[1] // 'tokenId'
 */
export function recognize(fn: ContractFunction): RecognizedFunction | undefined {
	const known = knownFunction(fn.key);
	const meant = known?.roles.map((role, index) => {
		const isNumber = NUMBERS_A_TOKEN.test(fn.inputs[index]?.name ?? '');
		// In ERC-20 functions that are not offered, the number is always an amount: ERC-721 lacks these functions.
		return role === 'amount' && known.title !== undefined && isNumber ? 'tokenId' : role;
	});
	return known && meant && { ...known, meant, isOfNft: !!knownFunction(fn.key, 'erc721') };
}

const COMMON_FUNCTIONS = KNOWN.filter(
	(known): known is KnownFunction & { title: string } => known.title !== undefined,
);

/**
 * The common functions that an operation offers: view ones for a read, all others for a write.
 *
 * @example commonFunctionsFor('write')[0]?.id // 'ERC-20 transfer(address,uint256)'
 */
export function commonFunctionsFor(operation: ContractOperation): typeof COMMON_FUNCTIONS {
	return COMMON_FUNCTIONS.filter(
		({ fn }) => (fn.stateMutability === 'view') === (operation === 'read'),
	);
}

/**
 * Finds a common function by its ID, for either operation.
 *
 * @param choice the node parameter that chooses the function, and the operation, for errors
 * @throws InvalidInputError if there is none.
 * @example
 * findCommonFunction('ERC-20 decimals()', { parameter: 'readFunction', operation: 'read' }).standard // 'erc20'
 */
export function findCommonFunction(
	id: unknown,
	{ parameter, operation }: { parameter: string; operation: ContractOperation },
): KnownFunction {
	const found = COMMON_FUNCTIONS.find((common) => common.id === id);
	if (found !== undefined) return found;
	const problem = id === '' ? 'No function is chosen' : `${quote(id)} is not a common function`;
	const example = commonFunctionsFor(operation)[0]?.id ?? '';
	return refuse(parameter, problem, `Choose one from the list, for example ${example}`);
}
