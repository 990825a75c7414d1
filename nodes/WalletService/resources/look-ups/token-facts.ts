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
import type { Asker } from './user-addresses';
import { lookUpOnce } from './user-addresses';

/** Failures by which the service says no to a read, because the contract has no such function for example. */
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
};

/** What a contract holds that is no ERC-20 token, by the ID with which ERC-165 asks for it: ERC-721 and ERC-1155. */
const KINDS = { NFT: '0x80ac58cd', items: '0xd9b67a26' } as const;

export type TokenKind = keyof typeof KINDS;

/** Enough for any real symbol. The contract chooses it freely, and it is to look like a word in a sentence. */
const SYMBOL = /^[^\s\p{C}]{1,32}$/u;

type Fact = keyof typeof FACTS;

/** The answer of a token that is asked for one thing (interface, section 4.5). @throws ServiceError when it is not a success. */
export async function askToken(
	name: Fact,
	address: string,
	client: ServiceClient,
	args: readonly string[] = [],
): Promise<IDataObject> {
	const call = { address, abi: abbreviatedSignature(FACTS[name], 'read'), args };
	const answer = await client.post(ROUTES.read.url, JSON.stringify(call), { fresh: true });
	return isItem(answer) ? answer : {};
}

/** What a contract holds; `undefined` for an ERC-20 token, and where it does not say or cannot be asked. */
export async function kindOf(
	address: string,
	client: ServiceClient,
): Promise<TokenKind | undefined> {
	const isOf = async (kind: TokenKind): Promise<boolean> => {
		const asking = askToken('supportsInterface', address, client, [KINDS[kind]]);
		return await asking.then(({ response }) => String(response) === 'true').catch(() => false);
	};
	const [isNft, isItems] = await Promise.all([isOf('NFT'), isOf('items')]);
	// A contract that says yes to both says yes to everything.
	if (isNft === isItems) return undefined;
	return isNft ? 'NFT' : 'items';
}

/** What a token says of itself; `undefined` if it has no such function. @throws ServiceError if it cannot be asked. */
export async function readFact(name: Fact, token: string, client: ServiceClient): Promise<unknown> {
	const answer = await askToken(name, token, client).catch((error: unknown) => {
		if (!(error instanceof ServiceError)) throw error;
		if (REFUSALS.has(error.details.code)) return undefined;
		throw error.with({ message: `The token could not be asked for its ${name}: ${error.message}` });
	});
	const decoded = answer && decodeAnswer(FACTS[name], answer.response);
	return decoded?.fits === true ? decoded.value : undefined;
}

/** The same, once for all items of a run that ask for it. */
async function factOf(name: Fact, token: string, asker: Asker): Promise<unknown> {
	const what = [name, token.toLowerCase()];
	return await lookUpOnce(asker, what, async () => await readFact(name, token, asker.client));
}

/** The decimal places of a token; `undefined` if it names none. @throws ServiceError if it cannot be asked: no guess. */
export async function decimalsOf(token: string, asker: Asker): Promise<number | undefined> {
	const decimals = await factOf('decimals', token, asker);
	return decimals === undefined ? undefined : parseDecimals(decimals);
}

/** The symbol of a token, if it reads like a word. @throws ServiceError if it cannot be asked. */
export async function symbolOf(token: string, asker: Asker): Promise<string | undefined> {
	const symbol = await factOf('symbol', token, asker);
	return typeof symbol === 'string' && SYMBOL.test(symbol) ? symbol : undefined;
}

/** A fact for words alone: when the token cannot be asked, not every item of the run waits for that. */
function forWords<T>(name: Fact, factFor: (token: string, asker: Asker) => Promise<T | undefined>) {
	return async (token: string, asker: Asker): Promise<T | undefined> =>
		await lookUpOnce(asker, [name, 'in words', token.toLowerCase()], async () =>
			factFor(token, asker).catch(() => undefined),
		);
}

export const decimalsInWords = forWords('decimals', decimalsOf);
export const symbolInWords = forWords('symbol', symbolOf);
