import { getAddress } from 'ethers';
import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { activeCredentialType } from '../request/credential/active-credential';
import { toNodeError } from '../request/failure/node-error';
import { unexpectedAnswer } from '../request/http/answer';
import { fillRoute, ROUTES } from '../request/http/routes';
import { ServiceClient } from '../request/http/service-client';
import type { ReadParameter } from '../request/run/read-parameter';
import { formReader } from '../request/run/read-parameter';
import { Run } from '../request/run/run';
import { isAddress, shortAddress } from '../values/address';
import type { TokenKind } from '../resources/look-ups/token-facts';
import { askToken, kindOf } from '../resources/look-ups/token-facts';
import { ALL_TOKENS } from '../resources/parameters';
import { parseToken } from '../resources/read-token';
import { momentOf, monotonicMs } from '../values/clock';
import { foreignWords } from '../values/quote';
import { InvalidInputError, refuse } from '../values/invalid-input';
import { defined, isItem } from '../values/objects';
import { plainText } from '../values/plain-text';
import { settle } from '../values/settle';
import { isUserId, splitUserIds } from '../values/user-id';
import { linkOf } from '../values/urls';
import { readAllowedContracts } from '../writes/policy/read-policy';
import { chosenToken, withChosen } from './chosen-token';

/** Time limit in milliseconds: a person is waiting for the list. */
const PATIENCE = 15_000;
const SETTINGS = { maxTries: 1, timeout: 10, concurrency: 5 };
/** Maximum number of contracts whose kind is looked up, counted separately for the wallet and the credential. */
const MAX_ASKED = 20;
/** For people who search for ETH. */
const NO_COIN = "No such token. The network's coin (ETH) cannot be sent";
/** A pasted address or URL instead of search words. */
const PASTED = /^\s*(?:0x[0-9a-f]{40}\s*$|https?:)/i;

/** A selectable token. Its symbol and name come from its contract, which anyone can deploy. */
interface FoundToken {
	/** In checksummed form. */
	readonly address: string;
	/** Empty if the token has none. */
	readonly symbol: string;
	/** Empty if the token has none. */
	readonly name: string;
	readonly url?: string;
	/** Absent for an ERC-20 token, or if unknown. */
	readonly kind?: TokenKind;
	/** Whether it has decimal places, as only ERC-20 tokens do. */
	readonly isDivided?: boolean;
}

/** Returns the page of an address on the block explorer of a transaction's URL. */
function pageBeside(transactionUrl: unknown, hash: unknown, address: string): string | undefined {
	const end = `/tx/${String(hash)}`;
	const link = linkOf(transactionUrl);
	return link?.endsWith(end) === true
		? `${link.slice(0, -end.length)}/address/${address}`
		: undefined;
}

/**
 * Reads the tokens from a history answer (interface, section 4.4), each once, most recently used first. Unreadable
 * entries are skipped: the list is only a convenience.
 */
function tokensOfHistory(answer: unknown): FoundToken[] {
	if (!Array.isArray(answer)) throw unexpectedAnswer('a list of transfers', answer);
	const entries = answer.filter(isItem).map((entry) => {
		const { timestamp } = entry;
		return { entry, time: typeof timestamp === 'string' ? momentOf(timestamp) || 0 : 0 };
	});
	const found = new Map<string, FoundToken>();
	for (const { entry } of entries.sort((one, other) => other.time - one.time)) {
		const { tokenAddress, symbol, name, decimals } = isItem(entry.amount) ? entry.amount : {};
		if (!isAddress(tokenAddress)) continue;
		const address = getAddress(tokenAddress.toLowerCase());
		if (found.has(address)) continue;
		const words = { symbol: foreignWords(plainText(symbol)), name: foreignWords(plainText(name)) };
		const url = pageBeside(entry.explorerUrl, entry.hash, address);
		found.set(address, { address, ...words, url, isDivided: Number(decimals) > 0 });
	}
	return [...found.values()];
}

/** Labels a token, `SUSD - Sandbox Dollar (0xd8dA…6045)`: anyone can copy a symbol and name, but not an address. */
function labelOf({ symbol, name, address, kind }: FoundToken): string {
	const all = [...new Set([symbol, name])].filter((one) => one !== '').join(' - ');
	// n8n stores the label in the parameter, and text that begins with = would be an expression.
	const words = all.replace(/^[= ]+/, '');
	const marked = kind === undefined ? words : `${words} (${kind})`;
	return `${words === '' ? `Unnamed ${kind ?? 'token'}` : marked} (${shortAddress(address)})`;
}

function listEntries(tokens: readonly FoundToken[], filter: string): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	return tokens
		.map((token) => {
			const { address: value, url } = token;
			return defined({ name: labelOf(token), value, description: value, url });
		})
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted));
}

/** The user whose tokens are listed, from the form or the credential. */
function listedUser(read: ReadParameter, own: string | undefined): string | undefined {
	const isToken = read('resource', '') === 'token';
	const form = isToken ? undefined : read('userIds', read('userId', ''));
	const [first, ...more] = typeof form === 'string' ? splitUserIds(form).filter(isUserId) : [];
	return more.length === 0 ? (first ?? own) : (own ?? first);
}

/** Looks up a contract as a token; returns an empty list if it reports neither a symbol nor its kind. */
async function tokenAt(contract: string, client: ServiceClient): Promise<FoundToken[]> {
	const address = getAddress(contract.toLowerCase());
	const ask = async (fact: 'decimals' | 'name' | 'symbol'): Promise<IDataObject> =>
		await askToken(fact, address, client).catch(() => ({}));
	const [symbol, name, decimals] = await Promise.all([ask('symbol'), ask('name'), ask('decimals')]);
	const words = { symbol: foreignWords(symbol.response), name: foreignWords(name.response) };
	const asking = decimals.response === undefined ? kindOf(address, client) : undefined;
	const kind = await asking?.catch(() => undefined);
	if (words.symbol === '' && kind === undefined) return [];
	return [{ address, ...words, kind, url: linkOf(symbol.explorerUrl) }];
}

/** Looks up the tokens in a user's history, and the credential's contracts that identify themselves as tokens. */
async function knownTokens(
	user: string | undefined,
	contracts: readonly string[],
	client: ServiceClient,
): Promise<FoundToken[]> {
	if (user === undefined && contracts.length === 0) {
		const hint =
			'Enter a User ID in the credential or the node, or choose Address instead of the list';
		refuse(undefined, 'There is no user to list tokens for', hint);
	}
	const history = async (userId: string) =>
		await client.get(fillRoute(ROUTES.history.url, { userId }));
	const used = user === undefined ? [] : tokensOfHistory(await history(user));
	const unclear = used.filter(({ isDivided }) => isDivided !== true).slice(0, MAX_ASKED);
	const withKind = async (token: FoundToken) =>
		unclear.includes(token)
			? { ...token, kind: await kindOf(token.address, client).catch(() => undefined) }
			: token;
	const known = new Set(used.map(({ address }) => address.toLowerCase()));
	const others = contracts.filter((one) => !known.has(one.toLowerCase())).slice(0, MAX_ASKED);
	const [own, asked] = await Promise.all([
		Promise.all(used.map(withKind)),
		Promise.all(others.map(async (one) => await tokenAt(one, client))),
	]);
	return [...own, ...asked.flat()];
}

async function findTokens(
	context: ILoadOptionsFunctions,
	filter: string,
): Promise<INodeListSearchItems[]> {
	const read = formReader(context);
	const credentialType = activeCredentialType(context);
	if (context.getNode().credentials?.[credentialType] === undefined) {
		const message = 'No credential is selected, so tokens cannot be listed';
		const hint =
			'Select a credential at the top of the node, or choose Address instead of the list';
		refuse(undefined, message, hint);
	}
	const endsAt = monotonicMs() + PATIENCE;
	const run = new Run((name) => (name === 'options' ? SETTINGS : {}), { credentialType, endsAt });
	const client = new ServiceClient(context, run);
	const { credential, userId } = await client.account();
	// An unreadable policy forbids writes, but must not prevent reads of a balance.
	const reading = await settle((async () => readAllowedContracts(credential))());
	const contracts = reading.status === 'fulfilled' ? reading.value : [];
	const pasted = PASTED.test(filter) ? parseToken(filter) : undefined;
	const found =
		pasted === undefined
			? await knownTokens(listedUser(read, userId), contracts, client)
			: await tokenAt(pasted, client);
	// Balances of ERC-1155 items cannot be read.
	const isAboutBalance =
		read('resource', '') === 'balance' || /^balance/.test(String(read('event', '')));
	const offered = found.filter(({ kind }) => !isAboutBalance || kind !== 'items');
	const entries = listEntries(offered, pasted === undefined ? filter : '');
	// An error would hide the field of the search.
	const isNone = entries.length === 0 && offered.length > 0;
	if (isNone && read('resource', '') === 'token') return [{ name: NO_COIN, value: '' }];
	if (offered.length > 0) return entries;
	if (pasted === undefined) {
		const hint = "Choose Address and paste the token's address";
		refuse('token', "No tokens in this wallet's recent transfers", hint);
	}
	const what = isAboutBalance ? 'ERC-20 or ERC-721 token' : 'token';
	const hint = 'Check the address: the token must be on the network of this service';
	return refuse('token', `No ${what} found at ${shortAddress(pasted)}`, hint);
}

/** Whether the list has an entry for all tokens: of the trigger, since an empty token no longer means all. */
function offersAll(context: ILoadOptionsFunctions, read: ReadParameter, filter: string): boolean {
	const isAsked = read('event', '') === 'newTransfer' && context.getNode().typeVersion > 1;
	return isAsked && ALL_TOKENS.name.toLowerCase().includes(filter.trim().toLowerCase());
}

/**
 * Returns the list for Token: the tokens in the user's history, most recently used first, and the credential's contracts
 * that identify themselves as tokens; or, in a search for an address, only the token at this address. Without a search, it
 * contains the chosen token even if nothing can be loaded, because n8n would empty the parameter when another credential
 * is selected.
 *
 * @throws NodeApiError or NodeOperationError, which the editor shows in place of the list.
 */
export async function getTokens(
	this: ILoadOptionsFunctions,
	filter = '',
): Promise<INodeListSearchResult> {
	const found = await settle(findTokens(this, filter));
	const read = formReader(this);
	const chosen = filter === '' ? chosenToken(read) : undefined;
	const all = offersAll(this, read, filter) ? [ALL_TOKENS] : [];
	if (found.status === 'fulfilled')
		return { results: [...all, ...withChosen(chosen, found.value)] };
	const error: unknown = found.reason;
	const node = this.getNode();
	// For an invalid input, n8n omits the description, so the message includes the hint.
	const shown =
		error instanceof InvalidInputError
			? new NodeOperationError(node, `${error.message}. ${error.hint}`)
			: toNodeError(error, { node, parameters: [] });
	const others = [...all, ...withChosen(chosen, [])];
	if (others.length > 0) {
		const { message } = error instanceof InvalidInputError ? error : shown;
		return { results: [...others, { name: `No other tokens: ${message}`, value: '' }] };
	}
	// n8n takes a hyphen for a dash and would show GOOGLE-2 as GOOGLE 2; a non-breaking hyphen appears unchanged.
	shown.message = shown.message.replaceAll('-', '\u2011');
	throw shown;
}
