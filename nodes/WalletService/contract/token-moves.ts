import { isZeroAddress } from '../values/address';
import { refuse } from '../values/invalid-input';
import { listed } from '../values/quote';
import type { ContractFunction } from './function';
import { selector } from './function';
import type { TokenFacts } from './token-amount';
import type { ParameterRole, RecognizedFunction, TokenStandard } from './token-standards';
import { knownFunction, recognize } from './token-standards';

/** The tokens that a call of a token standard function moves, or allows someone to move. */
export interface TokenMove {
	/** ERC-20 if ERC-20 and ERC-721 both have a function of these types. */
	readonly standard: TokenStandard;
	/** Whether ERC-721 has a function of the same types: the amount may then be the ID of an NFT. */
	readonly isShared: boolean;
	/** The recipient or future spender, as in the call. */
	readonly party: string;
	/** Position of the party among the arguments. */
	readonly index: number;
	readonly isApproval: boolean;
	/** Whether the call only takes an approval back; if `isShared`, it may instead approve the NFT with the ID 0. */
	readonly takesBack: boolean;
	/** The contract of the tokens: the called one, unless an argument names another. */
	readonly token: string;
	/** Whether the party may take all tokens of the contract from now on. */
	readonly isForAll: boolean;
	/** The owner of the tokens, if it is an argument. */
	readonly from?: string;
	/** Token IDs of the NFTs (ERC-721) or items (ERC-1155). */
	readonly ids: readonly bigint[];
	/** Base units (ERC-20), quantities (ERC-1155), or 1 (ERC-721). */
	readonly amounts: readonly bigint[];
	/** Whether it is a plain transfer or approval, and its numbers can only mean what they seem to. */
	readonly isCertain: boolean;
}

/** The names of functions that only take an approval back. */
export const DECREASES = new Set(['decreaseAllowance', 'decreaseApproval', 'revokeOperator']);

const PARTIES: readonly ParameterRole[] = ['recipient', 'spender', 'operator'];

/**
 * Refuses a function that shares its selector with a token standard function: the contract would run the latter, and
 * nobody would see that tokens move.
 *
 * @param parameter the node parameter that chooses the function, for the error
 * @throws InvalidInputError that names both.
 * @example refuseLookalike(parseSignature('workMyDirefulOwner(uint256,uint256)'), 'abi') // throws InvalidInputError
 */
export function refuseLookalike(fn: ContractFunction, parameter: string): void {
	const own = fn.key;
	const ownSelector = selector(fn);
	const known = knownFunction(ownSelector)?.fn.key;
	if (known === undefined || known === own) return;
	const problem = `${own} has the selector ${ownSelector} of ${known}, which the contract would run instead`;
	const hint = `If you mean ${known}, write that, so that everyone can see what the call does; otherwise do not trust the source of ${own}`;
	refuse(parameter, problem, hint);
}

/** The integers of an argument, which is an integer or a list. */
const integersOf = (text = '[]'): bigint[] =>
	text.startsWith('[') ? (JSON.parse(text) as string[]).map(BigInt) : [BigInt(text)];

/** Whether the meaning of a call's numbers is certain. */
function isCertain(fn: ContractFunction, known: RecognizedFunction, token?: TokenFacts): boolean {
	// Functions that are not offered, such as `increaseAllowance`, are neither plain transfers nor plain approvals.
	if (known.title === undefined) return false;
	if (known.standard !== 'erc20') return true;
	// Contracts older than ERC-721, such as CryptoKitties, transfer numbered tokens with a function of ERC-20's types.
	if (known.meant.includes('tokenId')) return false;
	// ERC-721 functions of the same types return nothing.
	const returns = fn.outputs.map(({ type }) => type).join();
	return !known.isOfNft || returns === 'bool' || token?.decimals !== undefined;
}

/**
 * Recognizes the tokens that a call moves, by the function's types and the positions of its arguments, not by parameter
 * names.
 *
 * @returns `undefined` for a function that is not known to move tokens
 * @throws InvalidInputError for a function that only shares its selector with another one, or lists of different lengths.
 * @example tokenMove(parseSignature('burn(uint256)'), { address: '0x12', args: ['5'] }) // undefined
 */
export function tokenMove(
	fn: ContractFunction,
	{ address, args }: { readonly address: string; readonly args: readonly string[] },
	facts?: TokenFacts,
): TokenMove | undefined {
	const known = recognize(fn);
	if (known === undefined) refuseLookalike(fn, 'abi');
	const index = known?.roles.findIndex((role) => PARTIES.includes(role)) ?? -1;
	const party = args[index];
	// View functions move nothing, although `allowance` has a spender too.
	if (known === undefined || party === undefined || known.fn.stateMutability === 'view')
		return undefined;
	const { roles, standard } = known;
	const isShared = standard === 'erc20' && known.isOfNft;
	const passed = Object.fromEntries(roles.map((role, at) => [role, args[at]]));
	const { sender: from, tokenId, kind = tokenId, kinds = kind, approved, allowed } = passed;
	const { token = address, amount, quantity = amount, quantities = quantity } = passed;
	const ids = integersOf(kinds);
	const isDecrease = DECREASES.has(known.fn.name);
	const amounts = isDecrease ? [] : integersOf(tokenId === undefined ? quantities : '1');
	if (standard === 'erc1155' && ids.length !== amounts.length) {
		const message = `The numbers of token IDs (${ids.length}) and amounts (${amounts.length}) differ`;
		refuse('args', message, 'Enter one amount for each token ID');
	}
	const role = roles[index];
	const isForAll = allowed === 'true' || (role === 'operator' && approved !== 'false');
	const isNothing = isDecrease || (!isForAll && amounts.every((one) => one === 0n));
	return {
		standard,
		isShared,
		party,
		index,
		token,
		from,
		ids,
		amounts,
		isApproval: role !== 'recipient',
		isForAll: isForAll && !isDecrease,
		takesBack: role !== 'recipient' && (isNothing || isZeroAddress(party)),
		isCertain: amounts.length === 1 && isCertain(fn, known, facts),
	};
}

/** Maximum number of amounts in a sentence. */
const MAX_NUMBERS = 5;

/**
 * The amounts and token IDs that a call moves, without units, for the end of a sentence.
 *
 * @param contract the called contract
 * @example numbersInWords({ ids: [1n, 7n], amounts: [2n, 3n], token: '0x12' }, '0x12') // ': 2 of #1, 3 of #7'
 */
export function numbersInWords(
	{ ids, amounts, isForAll, token }: TokenMove,
	contract: string,
): string {
	if (isForAll) return ': all tokens of the contract';
	const numbers = amounts.map((amount, index) => {
		// The largest integer of its type.
		const number = /^1{160,}$/.test(amount.toString(2)) ? 'any amount' : String(amount);
		return ids.length === 0 ? number : `${number} of #${ids[index]}`;
	});
	const which = token === contract ? '' : ` of ${token}`;
	return numbers.length === 0 ? '' : `: ${listed(numbers, MAX_NUMBERS)}${which}`;
}
