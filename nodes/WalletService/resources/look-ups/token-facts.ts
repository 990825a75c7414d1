import { abbreviatedSignature } from '../../contract/source/abbreviated-signature';
import { decodeAnswer } from '../../contract/decode';
import { parseSignature } from '../../contract/source/signature';
import type { Asker } from '../../request/credential/active-credential';
import { readActiveCredential } from '../../request/credential/active-credential';
import type { FailureCode } from '../../request/failure/failure-code';
import { ServiceError } from '../../request/failure/service-error';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Run } from '../../request/run/run';
import { parseDecimals } from '../../values/decimal';
import { isItem } from '../../values/objects';
import { settle } from '../../values/settle';

/** Failures by which the service says no to a read, because the contract has no such function for example. */
const REFUSALS: ReadonlySet<FailureCode> = new Set<FailureCode>([
	'bad-request',
	'not-found',
	'service-failed',
	'not-confirmed',
	'unexpected-status',
]);

/** Enough for any real symbol. The contract chooses it freely, and it is to look like a word in a sentence. */
const SYMBOL = /^[^\s\p{C}]{1,32}$/u;

const isRefusal = (error: unknown): boolean =>
	error instanceof ServiceError && REFUSALS.has(error.details.code);

/**
 * What a function without arguments returns; `undefined` when the contract has none that returns this type.
 *
 * @throws ServiceError when the service cannot be asked.
 */
async function ask(client: ServiceClient, address: string, signature: string): Promise<unknown> {
	const fn = parseSignature(signature);
	const call = { address, abi: abbreviatedSignature(fn, 'read'), args: [] };
	const result = await settle(client.post(ROUTES.read.url, JSON.stringify(call), { fresh: true }));
	if (result.status === 'rejected') {
		const error: unknown = result.reason;
		if (isRefusal(error)) return undefined;
		throw error;
	}
	const answer = result.value;
	const decoded = decodeAnswer(fn, isItem(answer) ? answer.response : undefined);
	return decoded.fits ? decoded.value : undefined;
}

/** Asks a token once per run, service and access token. */
async function askOnce(
	{ context }: Asker,
	run: Run,
	question: string,
	{ token, make }: { readonly token: string; readonly make: () => Promise<unknown> },
): Promise<unknown> {
	// By a credential with expressions, items can belong to different services.
	const { baseUrl, accessToken } = await readActiveCredential(context);
	const key = JSON.stringify(['token', baseUrl, accessToken, token.toLowerCase(), question]);
	return await run.once(key, make);
}

/** Asks a token once, for something that decides what is sent. */
async function factOf(
	asker: Asker,
	run: Run,
	token: string,
	{ client, signature, name }: Question,
): Promise<unknown> {
	const make = async () => {
		const result = await settle(ask(client, token, signature));
		if (result.status === 'fulfilled') return result.value;
		const error: unknown = result.reason;
		if (!(error instanceof ServiceError)) throw error;
		throw error.with({
			message: `The token could not be asked for its ${name}: ${error.message}`,
		});
	};
	return await askOnce(asker, run, signature, { token, make });
}

interface Question {
	readonly client: ServiceClient;
	readonly signature: string;
	/** What is asked for, in words. */
	readonly name: string;
}

/**
 * The decimal places that a token names; `undefined` when it names none.
 *
 * @throws ServiceError when the service cannot be asked: they are never guessed.
 */
export async function decimalsOf(
	asker: Asker,
	run: Run,
	client: ServiceClient,
	token: string,
): Promise<number | undefined> {
	const signature = 'decimals() view returns (uint8)';
	const decimals = await factOf(asker, run, token, { client, signature, name: 'decimals' });
	return decimals === undefined ? undefined : parseDecimals(decimals);
}

/**
 * The symbol that a token names; `undefined` when it names none that reads like a word.
 *
 * @throws ServiceError when the service cannot be asked.
 */
export async function symbolOf(
	asker: Asker,
	run: Run,
	client: ServiceClient,
	token: string,
): Promise<string | undefined> {
	const signature = 'symbol() view returns (string)';
	const symbol = await factOf(asker, run, token, { client, signature, name: 'symbol' });
	return typeof symbol === 'string' && SYMBOL.test(symbol) ? symbol : undefined;
}

/** A fact for words alone: when the token cannot be asked, not every item of the run waits for that. */
async function inWords<T>(
	asker: Asker,
	run: Run,
	question: string,
	{ token, find }: { readonly token: string; readonly find: () => Promise<T> },
): Promise<T | undefined> {
	const make = async () => {
		const result = await settle(find());
		return result.status === 'fulfilled' ? result.value : undefined;
	};
	return (await askOnce(asker, run, `${question} in words`, { token, make })) as T | undefined;
}

/** The symbol of a token as far as it can be asked for; nothing but words may depend on it. */
export async function symbolInWords(
	asker: Asker,
	run: Run,
	client: ServiceClient,
	token: string,
): Promise<string | undefined> {
	const find = async () => await symbolOf(asker, run, client, token);
	return await inWords(asker, run, 'symbol', { token, find });
}
