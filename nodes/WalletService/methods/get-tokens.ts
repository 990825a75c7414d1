import { getAddress } from 'ethers';
import type {
	ICredentialDataDecryptedObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import {
	activeCredentialType,
	readActiveCredential,
	usesOAuth,
} from '../request/credential/active-credential';
import { credentialUser } from '../request/credential/credential-user';
import { toNodeError } from '../request/failure/node-error';
import { fillRoute } from '../request/http/path';
import { ROUTES } from '../request/http/routes';
import { ServiceClient } from '../request/http/service-client';
import { formReader } from '../request/run/read-parameter';
import { Run } from '../request/run/run';
import { askToken } from '../resources/look-ups/token-facts';
import { monotonicMs } from '../values/clock';
import { foreignWords } from '../values/foreign-text';
import { InvalidInputError } from '../values/invalid-input';
import { settle } from '../values/settle';
import { isUserId } from '../values/user-id';
import { splitUserIds } from '../values/user-ids';
import type { FoundToken } from './found-tokens';
import { entriesOf, linkOf, tokensOfHistory } from './found-tokens';

/** A person waits for the list, in milliseconds. */
const PATIENCE = 15_000;
const SETTINGS = { maxTries: 1, timeout: 10, concurrency: 5 };
/** Contracts of the credential that are asked for their words, at most. */
const MAX_ASKED = 20;

/** The contracts that a credential allows. @throws InvalidInputError when its list cannot be read. */
export type ReadContracts = (credential: ICredentialDataDecryptedObject) => readonly string[];

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
function userOf(
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

async function findTokens(
	context: ILoadOptionsFunctions,
	readContracts: ReadContracts,
): Promise<FoundToken[]> {
	const credential = await readCredential(context);
	const user = userOf(context, credential);
	// One that cannot be read forbids writes, but is no reason not to look at a balance.
	const reading = await settle((async () => readContracts(credential))());
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

/** An error as n8n shows it in place of a list. */
function shownError(error: unknown, context: ILoadOptionsFunctions): Error {
	const node = context.getNode();
	// Of this one n8n leaves out the description.
	const shown =
		error instanceof InvalidInputError
			? new NodeOperationError(node, `${error.message}. ${error.hint}`)
			: toNodeError(error, { node, parameters: [] });
	// n8n takes each hyphen for a dash between two sentences, and shows GOOGLE-2 as GOOGLE 2; this one looks the same.
	shown.message = shown.message.replaceAll('-', '\u2011');
	return shown;
}

/**
 * The list of Token: those in the history of the user, and those contracts of the credential that name themselves as tokens.
 *
 * @param readContracts reads the contracts that a credential allows
 * @returns what n8n calls for the list
 * @throws NodeApiError or NodeOperationError, which the editor shows in place of the list.
 */
export function tokenSearch(readContracts: ReadContracts) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
	): Promise<INodeListSearchResult> {
		const found = await settle(findTokens(this, readContracts));
		if (found.status === 'rejected') throw shownError(found.reason, this);
		return { results: entriesOf(found.value, filter) };
	};
}
