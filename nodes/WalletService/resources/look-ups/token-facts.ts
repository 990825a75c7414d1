import type { IDataObject } from 'n8n-workflow';

import { decodeAnswer } from '../../contract/decode';
import { abbreviatedSignature } from '../../contract/function';
import { parseSignature } from '../../contract/source/signature';
import type { FailureCode } from '../../request/failure/failure-code';
import { ServiceError } from '../../request/failure/service-error';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { parseDecimals } from '../../values/decimal';
import { isItem } from '../../values/objects';
import { plainText } from '../../values/plain-text';
import { settle } from '../../values/settle';

/** Failures of reads that are refused, for example because the contract has no such function. */
const REFUSALS: ReadonlySet<FailureCode> = new Set<FailureCode>([
	'bad-request',
	'not-found',
	'service-failed',
	'not-confirmed',
	'unexpected-status',
]);

const FACTS = {
	decimals: parseSignature('decimals() view returns (uint8)'),
	name: parseSignature('name() view returns (string)'),
	supportsInterface: parseSignature('supportsInterface(bytes4) view returns (bool)'),
	symbol: parseSignature('symbol() view returns (string)'),
	totalSupply: parseSignature('totalSupply() view returns (uint256)'),
	totalSupplyOfKind: parseSignature('totalSupply(uint256) view returns (uint256)'),
	nameInBytes: parseSignature('name() view returns (bytes32)'),
	symbolInBytes: parseSignature('symbol() view returns (bytes32)'),
};

/** Kinds of token contracts other than ERC-20, with their ERC-165 interface IDs: ERC-721 and ERC-1155. */
const KINDS = { NFT: '0x80ac58cd', items: '0xd9b67a26' } as const;

export type TokenKind = keyof typeof KINDS;

/** A symbol that reads like a word. Contracts choose symbols freely; 100 characters suffice for any real one. */
const SYMBOL = /^[^\s\p{C}\uFFFD]{1,100}$/u;

type Fact = keyof typeof FACTS;

/** Whether a contract may return its name or symbol in 32 bytes, as MKR does: some services fail with 500 then. */
const mayBeInBytes = (error: unknown): boolean =>
	error instanceof ServiceError &&
	(REFUSALS.has(error.details.code) || error.details.httpStatus === 500);

/** Reads one fact from a token contract (interface, section 4.5). @throws ServiceError if the read fails. */
export async function askToken(
	name: Fact,
	address: string,
	client: ServiceClient,
	args: readonly string[] = [],
): Promise<IDataObject> {
	const call = { address, abi: abbreviatedSignature(FACTS[name], 'read'), args };
	const asking = client.post(ROUTES.read.url, JSON.stringify(call), { fresh: true });
	const asked = await settle(asking);
	const answer = asked.status === 'fulfilled' && isItem(asked.value) ? asked.value : {};
	const response = plainText(answer.response);
	const isUnread =
		asked.status === 'rejected' ? mayBeInBytes(asked.reason) : typeof response !== 'string';
	if (isUnread && (name === 'name' || name === 'symbol'))
		return await askToken(`${name}InBytes`, address, client);
	if (asked.status === 'rejected') throw asked.reason;
	return { ...answer, response };
}

/** Like `askToken`; `undefined` if the contract has no such function. @throws ServiceError if the look-up fails. */
async function askIfAny(...[name, ...asked]: Parameters<typeof askToken>) {
	return await askToken(name, ...asked).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		if (REFUSALS.has(error.details.code)) return undefined;
		throw error.with({ message: `The token's ${name} could not be looked up: ${error.message}` });
	});
}

/** What a contract answers to whether it is of each kind: `true`, `false`, or nothing usable. */
async function kindAnswers(address: string, client: ServiceClient): Promise<[string, string]> {
	const answerOf = async (kind: TokenKind): Promise<string> => {
		const answer = await askIfAny('supportsInterface', address, client, [KINDS[kind]]);
		return String(answer?.response);
	};
	return await Promise.all([answerOf('NFT'), answerOf('items')]);
}

/** Looks up a contract's kind; `undefined` for an ERC-20 token or no kind. @throws ServiceError if the look-up fails. */
export async function kindOf(
	address: string,
	client: ServiceClient,
): Promise<TokenKind | undefined> {
	const [nft, items] = await kindAnswers(address, client);
	const [isNft, isItems] = [nft === 'true', items === 'true'];
	// A contract that claims both kinds answers true to any question.
	if (isNft === isItems) return undefined;
	return isNft ? 'NFT' : 'items';
}

/** Like `kindOf`, for a decision that moves a token: the contract must also deny the other kind. */
export async function reportedKind(
	address: string,
	client: ServiceClient,
): Promise<TokenKind | undefined> {
	return await client.once(['reported kind', address], async () => {
		const [nft, items] = await kindAnswers(address, client);
		if (nft === 'true' && items === 'false') return 'NFT';
		return nft === 'false' && items === 'true' ? 'items' : undefined;
	});
}

/** Like `kindOf`, but looked up only once per run. */
export const kindOnce = async (address: string, client: ServiceClient) =>
	await client.once(['kind', address], async () => await kindOf(address, client));

/** Looks up a fact about a token; `undefined` if it has no such function. @throws ServiceError if the look-up fails. */
export async function readFact(
	name: Fact,
	token: string,
	client: ServiceClient,
	args: readonly string[] = [],
): Promise<unknown> {
	const answer = await askIfAny(name, token, client, args);
	const decoded = answer && decodeAnswer(FACTS[name], answer.response);
	return decoded?.isDecoded === true ? decoded.value : undefined;
}

/** Like `readFact`, but looked up only once per run. */
async function factOf(
	name: Fact,
	token: string,
	client: ServiceClient,
	args: readonly string[] = [],
): Promise<unknown> {
	const what = [name, token.toLowerCase(), ...args];
	return await client.once(what, async () => await readFact(name, token, client, args));
}

/**
 * Looks up the decimals of a token; `undefined` if it reports none.
 *
 * @throws ServiceError if the look-up fails: nothing is guessed.
 */
export async function decimalsOf(
	token: string,
	client: ServiceClient,
): Promise<number | undefined> {
	const decimals = await factOf('decimals', token, client);
	return decimals === undefined ? undefined : parseDecimals(decimals);
}

/** Looks up the total supply of a token, or of a kind of item (ERC-6909); `undefined` if the service cannot read it. */
export async function supplyOf(
	token: string,
	client: ServiceClient,
	kind?: string,
): Promise<bigint | undefined> {
	const asked = await settle(
		kind === undefined
			? factOf('totalSupply', token, client)
			: factOf('totalSupplyOfKind', token, client, [kind]),
	);
	if (asked.status === 'rejected' && !(asked.reason instanceof ServiceError)) throw asked.reason;
	const supply = asked.status === 'fulfilled' ? asked.value : undefined;
	return typeof supply === 'string' ? BigInt(supply) : undefined;
}

/** Looks up the symbol of a token, if it reads like a word. @throws ServiceError if the look-up fails. */
export async function symbolOf(token: string, client: ServiceClient): Promise<string | undefined> {
	const symbol = await factOf('symbol', token, client);
	return typeof symbol === 'string' && SYMBOL.test(symbol) ? symbol : undefined;
}

/** Makes a look-up for display only: its failure is kept as well, so that not every item of the run waits for it. */
function forWords<T>(
	name: Fact,
	factFor: (token: string, client: ServiceClient) => Promise<T | undefined>,
) {
	return async (token: string, client: ServiceClient): Promise<T | undefined> =>
		await client.once([name, 'in words', token.toLowerCase()], async () =>
			factFor(token, client).catch(() => undefined),
		);
}

export const decimalsInWords = forWords('decimals', decimalsOf);
export const symbolInWords = forWords('symbol', symbolOf);
