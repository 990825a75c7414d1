import { getAddress } from 'ethers';
import type {
	ICredentialDataDecryptedObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import {
	activeCredentialType,
	readActiveCredential,
	usesOAuth,
} from '../request/credential/active-credential';
import { credentialUser } from '../request/credential/signed-in-user';
import { toNodeError } from '../request/failure/node-error';
import { unexpectedAnswer } from '../request/http/answer';
import { fillRoute, ROUTES } from '../request/http/routes';
import { ServiceClient } from '../request/http/service-client';
import { formReader } from '../request/run/read-parameter';
import { Run } from '../request/run/run';
import { isAddress, shortAddress } from '../values/address';
import { askToken } from '../resources/look-ups/token-facts';
import { monotonicMs } from '../values/clock';
import { foreignWords } from '../values/quote';
import { InvalidInputError } from '../values/invalid-input';
import { defined, isItem } from '../values/objects';
import { settle } from '../values/settle';
import { isUserId, splitUserIds } from '../values/user-id';
import { readAllowedContracts } from '../writes/policy/policy';

/** A person waits for the list, in milliseconds. */
const PATIENCE = 15_000;
const SETTINGS = { maxTries: 1, timeout: 10, concurrency: 5 };
/** Contracts of the credential that are asked for their words, at most. */
const MAX_ASKED = 20;

/** A token that can be chosen. Its words come from its contract, which anyone can deploy. */
interface FoundToken {
	/** With its checksum. */
	readonly address: string;
	/** Empty when the token has none; so is its name. */
	readonly symbol: string;
	readonly name: string;
	/** Its page in a block explorer. */
	readonly url?: string;
}

/** An address of the web that a click may open. */
function linkOf(value: unknown): string | undefined {
	return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) ? value : undefined;
}

/** The page of an address, in the explorer that has a page for a transaction. */
function pageBeside(transactionUrl: unknown, hash: unknown, address: string): string | undefined {
	const end = `/tx/${String(hash)}`;
	const link = linkOf(transactionUrl);
	return link?.endsWith(end) === true
		? `${link.slice(0, -end.length)}/address/${address}`
		: undefined;
}

/**
 * The tokens of a history answer (interface, section 4.4), each once. An entry that cannot be read is left out: this only
 * helps to choose.
 *
 * @throws ServiceError when the answer is no list.
 */
function tokensOfHistory(answer: unknown): FoundToken[] {
	if (!Array.isArray(answer)) throw unexpectedAnswer('a list of transfers', answer);
	const found = new Map<string, FoundToken>();
	for (const entry of answer) {
		if (!isItem(entry) || !isItem(entry.amount)) continue;
		const { tokenAddress, symbol, name } = entry.amount;
		if (!isAddress(tokenAddress)) continue;
		const address = getAddress(tokenAddress.toLowerCase());
		const url = pageBeside(entry.explorerUrl, entry.hash, address);
		found.set(address, { address, symbol: foreignWords(symbol), name: foreignWords(name), url });
	}
	return [...found.values()];
}

/** `SUSD - Sandbox Dollar (0xd8dA…6045)`: anyone can give a token the words of another one. */
function labelOf({ symbol, name, address }: FoundToken): string {
	const all = [...new Set([symbol, name])].filter((one) => one !== '').join(' - ');
	// n8n keeps the label in the parameter, where a text that begins with = is an expression.
	const words = all.replace(/^[= ]+/, '');
	return words === '' ? address : `${words} (${shortAddress(address)})`;
}

/** The entries of the list that match what was typed, by their label; those without words at the end. */
function listEntries(tokens: readonly FoundToken[], filter = ''): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	const rank = ({ name, value }: INodeListSearchItems): number => (name === value ? 1 : 0);
	return tokens
		.map((token) => {
			const { address: value, url } = token;
			return defined({ name: labelOf(token), value, description: value, url });
		})
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted))
		.sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}

async function readCredential(
	context: ILoadOptionsFunctions,
): Promise<ICredentialDataDecryptedObject> {
	const type = activeCredentialType(context);
	if (context.getNode().credentials?.[type] !== undefined)
		return await readActiveCredential(context);
	throw new InvalidInputError({
		message: 'No credential is chosen, so that no service can be asked for tokens',
		hint: 'Choose a credential at the top of the node, or By Address instead of From List',
	});
}

/** The user whose tokens are listed: the one of the form, else that of the credential. */
function listedUser(
	context: ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
): string | undefined {
	const read = formReader(context);
	const isToken = read('resource', '') === 'token';
	const form = isToken ? undefined : read('userIds', read('userId', ''));
	const [first, ...more] = typeof form === 'string' ? splitUserIds(form).filter(isUserId) : [];
	const own = credentialUser(credential);
	return more.length === 0 ? (first ?? own) : (own ?? first);
}

/** A contract as a token; none if it does not say a symbol. */
async function tokenAt(contract: string, client: ServiceClient): Promise<FoundToken[]> {
	const address = getAddress(contract.toLowerCase());
	const ask = async (fact: 'name' | 'symbol') => {
		const result = await settle(askToken(fact, address, client));
		return result.status === 'fulfilled' ? result.value : {};
	};
	const [symbol, name] = await Promise.all([ask('symbol'), ask('name')]);
	const words = { symbol: foreignWords(symbol.response), name: foreignWords(name.response) };
	return words.symbol === '' ? [] : [{ address, ...words, url: linkOf(symbol.explorerUrl) }];
}

async function findTokens(context: ILoadOptionsFunctions): Promise<FoundToken[]> {
	const credential = await readCredential(context);
	const user = listedUser(context, credential);
	// One that cannot be read forbids writes, but is no reason not to look at a balance.
	const reading = await settle((async () => readAllowedContracts(credential))());
	const contracts = reading.status === 'fulfilled' ? reading.value : [];
	if (user === undefined && contracts.length === 0) {
		throw new InvalidInputError({
			message: 'Nobody is named whose tokens could be listed',
			hint: 'Enter a User ID in the credential (or in the node, where it has one), or choose By Address instead of From List',
		});
	}
	const network = context.getCurrentNodeParameter('requestOptions');
	const run = new Run((name) => (name === 'options' ? SETTINGS : network), {
		probesFirst: usesOAuth(context),
		endsAt: monotonicMs() + PATIENCE,
	});
	if (run.invalidOptions !== undefined) throw run.invalidOptions;
	const client = new ServiceClient(context, run);
	const history = async (userId: string) =>
		await client.get(fillRoute(ROUTES.history.url, { userId }));
	const seen = user === undefined ? [] : tokensOfHistory(await history(user));
	const known = new Set(seen.map(({ address }) => address.toLowerCase()));
	const others = contracts.filter((one) => !known.has(one.toLowerCase())).slice(0, MAX_ASKED);
	const asked = await Promise.all(others.map(async (one) => await tokenAt(one, client)));
	return [...seen, ...asked.flat()];
}

/**
 * The list of Token: those in the history of the user, and those contracts of the credential that name themselves as tokens.
 *
 * @throws NodeApiError or NodeOperationError, which the editor shows in place of the list.
 */
export async function getTokens(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const found = await settle(findTokens(this));
	if (found.status === 'fulfilled') return { results: listEntries(found.value, filter) };
	const error: unknown = found.reason;
	const node = this.getNode();
	// n8n leaves out the description of an invalid input.
	const shown =
		error instanceof InvalidInputError
			? new NodeOperationError(node, `${error.message}. ${error.hint}`)
			: toNodeError(error, { node, parameters: [] });
	// n8n takes each hyphen for a dash between two sentences, and shows GOOGLE-2 as GOOGLE 2; this one looks the same.
	shown.message = shown.message.replaceAll('-', '\u2011');
	throw shown;
}
