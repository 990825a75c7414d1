import { id as hashOf } from 'ethers';

import type { ContractFunction } from './function';
import { functionKey } from './function';

/** What an argument of a function of the token standards is. */
export interface KnownArgument {
	/** As the standard calls it. */
	readonly name: string;
	/** What to enter, for a label. */
	readonly words: string;
	/** Whether it counts base units of the called contract. */
	readonly isTokenAmount?: true;
}

const party = (name: string): KnownArgument => ({ name, words: 'address or user ID' });
const amount: KnownArgument = {
	name: 'amount',
	words: '12.5 token, or base units',
	isTokenAmount: true,
};
const tokenId: KnownArgument = { name: 'tokenId', words: 'number of the NFT' };
const id: KnownArgument = { name: 'id', words: 'number of the kind of token' };
const count: KnownArgument = { name: 'amount', words: 'how many of that kind' };
const data: KnownArgument = { name: 'data', words: '0x, unless the recipient expects something' };
const operator = party('operator');
const approved: KnownArgument = {
	name: 'approved',
	words: 'whether the operator may move all your tokens of this contract',
};

/**
 * By full types, which stand for the selector (see `refuseLookalike`): the source of a function and its names do not matter.
 */
const KNOWN: Readonly<Record<string, readonly KnownArgument[]>> = {
	'balanceOf(address)': [party('owner')],
	'allowance(address,address)': [party('owner'), party('spender')],
	'transfer(address,uint256)': [party('to'), amount],
	'approve(address,uint256)': [party('spender'), amount],
	'increaseAllowance(address,uint256)': [party('spender'), amount],
	'decreaseAllowance(address,uint256)': [party('spender'), amount],
	'transferFrom(address,address,uint256)': [party('from'), party('to'), amount],
	'ownerOf(uint256)': [tokenId],
	'tokenURI(uint256)': [tokenId],
	'safeTransferFrom(address,address,uint256)': [party('from'), party('to'), tokenId],
	'safeTransferFrom(address,address,uint256,bytes)': [party('from'), party('to'), tokenId, data],
	'setApprovalForAll(address,bool)': [operator, approved],
	'balanceOf(address,uint256)': [party('owner'), id],
	'balanceOfBatch(address[],uint256[])': [
		{ name: 'accounts', words: 'list of addresses or user IDs' },
		{ name: 'ids', words: 'list of numbers, one for each of the accounts' },
	],
	'safeTransferFrom(address,address,uint256,uint256,bytes)': [
		party('from'),
		party('to'),
		id,
		count,
		data,
	],
};

const BY_SELECTOR = new Map(Object.keys(KNOWN).map((key) => [hashOf(key).slice(0, 10), key]));

/**
 * The function of the token standards that has a selector.
 *
 * @example knownFunction('0xa9059cbb') // 'transfer(address,uint256)'
 */
export function knownFunction(selector: string): string | undefined {
	return BY_SELECTOR.get(selector);
}

/** ERC-721 has functions of the same types as ERC-20, which number a token where that counts. An amount may be called `paid`. */
const NUMBERS_A_TOKEN = /^_*id_*$|(?:I[dD]|_id|token_?id|nft_?id)_*$|^TOKEN_?ID_*$/;

/**
 * Whether an argument is named as the number of a token.
 *
 * @param index from 0
 * @example isNamedAsNumber(parseSignature('transfer(address to, uint256 tokenId)'), 1) // true
 * @example isNamedAsNumber(parseSignature('transfer(address to, uint256 paid)'), 1) // false
 */
export function isNamedAsNumber({ inputs }: ContractFunction, index: number): boolean {
	return NUMBERS_A_TOKEN.test(inputs[index]?.name ?? '');
}

/**
 * What an argument is, in a function of the token standards; `undefined` in other functions.
 *
 * @param index from 0
 * @example knownArgument(parseSignature('transfer(address dst, uint256 wad)'), 1)?.isTokenAmount // true
 * @example knownArgument(parseSignature('approve(address to, uint256 tokenId)'), 1)?.isTokenAmount // undefined
 */
export function knownArgument(fn: ContractFunction, index: number): KnownArgument | undefined {
	const key = functionKey(fn);
	const known = Object.hasOwn(KNOWN, key) ? KNOWN[key]?.[index] : undefined;
	return known?.isTokenAmount === true && isNamedAsNumber(fn, index) ? tokenId : known;
}

/**
 * What to call an argument of a function of the token standards in a form; `undefined` in other functions.
 *
 * @example wordsFor(parseSignature('transfer(address,uint256)'), 0) // 'to: address or user ID'
 */
export function wordsFor(fn: ContractFunction, index: number): string | undefined {
	const known = knownArgument(fn, index);
	if (known === undefined) return undefined;
	const own = fn.inputs[index]?.name ?? '';
	return `${own === '' ? known.name : own}: ${known.words}`;
}
