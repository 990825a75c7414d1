import { MAX_UINT256 } from '../values/integers';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import type { CheckedCall } from './call';
import { selector } from './call';
import type { ContractFunction } from './function';
import { functionKey } from './function';
import type { ParameterRole, TokenStandard } from './token-standards';
import { knownFunction } from './token-standards';

/** What a call of a function of the token standards moves, or lets somebody move from then on. */
export interface TokenMove {
	/** ERC-20 where ERC-721 has a function of the same types. */
	readonly standard: TokenStandard;
	/** Whether it has: then the amount may be the number of an NFT. */
	readonly isShared: boolean;
	/** Who gets the tokens, or may take them from then on; as the call has it. */
	readonly party: string;
	/** Position of the party among the arguments. */
	readonly index: number;
	readonly isApproval: boolean;
	/** Whether the party may take all tokens of the contract from then on. */
	readonly isForAll: boolean;
	/** Whose tokens leave, where the call names them. */
	readonly from?: string;
	/** Numbers of the pieces (ERC-721) or kinds (ERC-1155). */
	readonly ids: readonly bigint[];
	/** Base units (ERC-20), or how many of each kind; 1 of a piece. */
	readonly amounts: readonly bigint[];
}

const PARTIES: readonly ParameterRole[] = ['recipient', 'spender', 'operator'];

/**
 * Refuses a function with the selector of another one, of the token standards: a contract runs the one that it has, and nobody
 * would see that tokens are moved.
 *
 * @param parameter what chooses the function, for the error
 * @throws InvalidInputError that names both.
 * @example refuseLookalike(parseSignature('workMyDirefulOwner(uint256,uint256)'), 'abi') // throws InvalidInputError
 */
export function refuseLookalike(fn: ContractFunction, parameter: string): void {
	const own = functionKey(fn);
	const ownSelector = selector(fn);
	const known = knownFunction(ownSelector)?.key;
	if (known === undefined || known === own) return;
	const problem = `${own} has the selector ${ownSelector} of ${known}, which the contract would run in its place`;
	const hint = `If that is meant, write ${known}, so that everybody sees what the call does; do not trust who gave you the other name`;
	refuse(parameter, own, problem, hint);
}

/** Of an argument that is one or a list. */
const integersOf = (text = '[]'): bigint[] =>
	text.startsWith('[') ? (JSON.parse(text) as string[]).map(BigInt) : [BigInt(text)];

/**
 * Reads what a call moves: the one reader for the words, the guards and the spending limits. It goes by selector and by the
 * positions of the standard, whatever the parameters are called.
 *
 * @returns `undefined` for a function that is not known to move tokens
 * @throws InvalidInputError for a function that only looks like another one, and for lists of different lengths.
 * @example
 * const contractFunction = parseSignature('transfer(address who, uint256 tokenId)');
 * const call = { address: '0x12', abi: '', args: ['0xab', '5'] };
 * tokenMove({ call, contractFunction, resolvedAddresses: {} })?.party // '0xab'
 */
export function tokenMove({
	call: { args },
	contractFunction: fn,
}: CheckedCall): TokenMove | undefined {
	refuseLookalike(fn, 'abi');
	const key = functionKey(fn);
	const known = knownFunction(key);
	const index = known?.parameters.findIndex(({ is }) => PARTIES.includes(is)) ?? -1;
	const party = args[index];
	// An allowance is only read by a function that names a spender as well.
	if (known === undefined || party === undefined || known.fn.stateMutability === 'view')
		return undefined;
	const { parameters, standard } = known;
	const passed = Object.fromEntries(parameters.map(({ is }, at) => [is, args[at]]));
	const { sender, tokenId, kind = tokenId, kinds = kind, approved } = passed;
	const ids = integersOf(kinds);
	const { amount, quantity = amount, quantities = quantity } = passed;
	const amounts = tokenId === undefined ? integersOf(quantities) : [1n];
	if (standard === 'erc1155' && ids.length !== amounts.length) {
		const message = `${ids.length} kinds of tokens have ${amounts.length} amounts`;
		refuse('args', quote(args), message, 'Give one amount for each kind');
	}
	return {
		...{ standard, party, index, ids, from: sender },
		isShared: standard === 'erc20' && knownFunction(key, 'erc721') !== undefined,
		isApproval: parameters[index]?.is !== 'recipient',
		isForAll: parameters[index]?.is === 'operator' && approved !== 'false',
		amounts: known.fn.name === 'decreaseAllowance' ? [] : amounts,
	};
}

/** Most numbers of a batch that a sentence lists. */
const MAX_NUMBERS = 5;

/**
 * The numbers that a call moves, for the end of a sentence, where nobody asked what they count.
 *
 * @example numbersInWords({ ids: [1n, 7n], amounts: [2n, 3n] }) // ': 2 of #1, 3 of #7'
 */
export function numbersInWords({ ids, amounts, isForAll }: TokenMove): string {
	if (isForAll) return ': all tokens of the contract';
	const numbers = amounts.map((amount, index) => {
		const number = amount === MAX_UINT256 ? 'any amount' : String(amount);
		return ids.length === 0 ? number : `${number} of #${ids[index]}`;
	});
	if (numbers.length === 0) return '';
	const others = numbers.splice(MAX_NUMBERS).length;
	return `: ${numbers.join(', ')}${others === 0 ? '' : `, and ${others} more`}`;
}
