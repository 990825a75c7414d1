import type { IDataObject } from 'n8n-workflow';

import type { Resolve } from '../../contract/argument-value';
import { encodeArguments } from '../../contract/arguments';
import { MAX_WRITTEN_VALUES } from '../../contract/value-count';
import type { CheckedCall } from '../../contract/call';
import { checkedCall } from '../../contract/call';
import type { ContractFunction, ContractOperation } from '../../contract/function';
import { refuseLostTokens } from '../../contract/guards';
import type { TokenFacts } from '../../contract/token-amount';
import { isMistaken, TOKEN_WORD, tokensToBaseUnits } from '../../contract/token-amount';
import type { TokenStandard } from '../../contract/token-standards';
import type { ServiceClient } from '../../request/http/service-client';
import type { ReadParameter } from '../../request/run/read-parameter';
import type { Written } from '../../values/amount';
import type { Field } from '../../values/invalid-input';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { parseAddressOrPage, WALLET_PAGE } from '../../values/urls';
import { assertOneUser, isUserId, parseUserOrWallet } from '../../values/user-id';
import type { TokenKind } from './token-facts';
import {
	decimalsInWords,
	decimalsOf,
	kindOnce,
	supplyOf,
	symbolInWords,
	symbolOf,
} from './token-facts';
import { knownUser } from './user-addresses';

/** A contract call whose arguments are not checked yet. */
export interface PlannedCall {
	readonly contractFunction: ContractFunction;
	readonly contractAddress: string;
	readonly args: unknown;
	/** The standard of a common function chosen from the list; absent for a function entered by hand. */
	readonly standard?: TokenStandard;
	/** The parameter that holds the arguments, for errors. */
	readonly parameter: Field;
	/** Whether a whole number without a unit is refused for a token amount. */
	readonly needsUnit?: boolean;
	/** Native coin to send along, in wei; absent if none. */
	readonly value?: bigint;
}

/** Performs the look-ups of one call as they are needed, and keeps the results for the output. */
export class LookUps implements Resolve {
	/** Wallet address by user ID, in order of use. */
	readonly resolvedAddresses: Record<string, string> = {};

	/** User name by user ID, for users who have one. */
	readonly userNames: Record<string, string> = {};

	/** The called contract's token facts, if looked up. */
	token: TokenFacts | undefined;

	/** Base URL of the service, read before the first look-up; absent without look-ups. */
	preparedFor: string | undefined;

	isWritten: Resolve['isWritten'];

	readonly client: ServiceClient;

	readonly #address: string;

	constructor(client: ServiceClient, address: string) {
		this.client = client;
		this.#address = address;
	}

	/** Notes the service of a look-up. @throws InvalidInputError for an unacceptable base URL */
	async open(): Promise<ServiceClient> {
		this.preparedFor ??= (await this.client.account()).baseUrl;
		return this.client;
	}

	/** Looks up a user's wallet. @throws InvalidInputError for an unknown user, ServiceError if the look-up fails. */
	async user(userId: string, path: Field): Promise<string> {
		const problem = `No wallet address is known for the user ${quote(userId)}`;
		const hint = 'Check the user ID, or enter a wallet address: 0x and 40 hexadecimal digits';
		return (await this.find(userId)) ?? refuse(path, problem, hint);
	}

	/** Like `user`, but returns `undefined` for an unknown user. @throws ServiceError if the look-up fails. */
	async find(userId: string): Promise<string | undefined> {
		const user = await knownUser(userId, await this.open());
		if (user !== undefined) this.resolvedAddresses[userId] = user.address;
		if (user?.name !== undefined) this.userNames[userId] = user.name;
		return user?.address;
	}

	/**
	 * Converts an amount of the called token to base units.
	 *
	 * @throws InvalidInputError unless it is an amount of the token, ServiceError if a look-up fails.
	 */
	async tokens(amount: Written, path: Field): Promise<bigint> {
		this.token = await this.facts(amount);
		return tokensToBaseUnits(amount, this.token, path);
	}

	/** Looks up whether the called contract is an NFT. @throws ServiceError if the look-up fails. */
	async isNft(): Promise<boolean> {
		return (await this.kind()) === 'NFT';
	}

	/** Looks up the total supply of a token, by default the called contract; `undefined` if it cannot be read. */
	async supply(token = this.#address, kind?: string): Promise<bigint | undefined> {
		return await supplyOf(token, await this.open(), kind);
	}

	/** Looks up the called contract's kind. @throws ServiceError if the look-up fails. */
	async kind(): Promise<TokenKind | undefined> {
		return await kindOnce(this.#address, await this.open());
	}

	/** Looks up the token facts that convert an amount to base units. @throws ServiceError if a look-up fails. */
	async facts(amount: Written): Promise<TokenFacts> {
		const [address, client] = [this.#address, await this.open()];
		// The error about a wrong amount needs only the symbol.
		if (isMistaken(amount, true)) return { address, symbol: await symbolInWords(address, client) };
		const decimals = await decimalsOf(address, client);
		const symbol = await (amount.unit === TOKEN_WORD ? symbolInWords : symbolOf)(address, client);
		return { address, decimals, symbol };
	}

	/** Looks up the called token's facts, as far as available; for display only. */
	async tokenInWords(): Promise<TokenFacts> {
		const [address, client] = [this.#address, await this.open()];
		const decimals = await decimalsInWords(address, client);
		return { address, decimals, symbol: await symbolInWords(address, client) };
	}
}

/** Makes a planned call canonical. @throws InvalidInputError that names the argument, ServiceError if a look-up fails. */
export async function completeCall(
	{ contractFunction, contractAddress: address, value, ...given }: PlannedCall,
	operation: ContractOperation,
	lookUps: LookUps,
): Promise<CheckedCall> {
	const { parameter, needsUnit } = given;
	const most = operation === 'write' ? MAX_WRITTEN_VALUES : undefined;
	const args = await encodeArguments(
		contractFunction,
		given.args,
		parameter,
		lookUps,
		needsUnit,
		most,
	);
	const { resolvedAddresses, userNames, token, preparedFor } = lookUps;
	const facts = { resolvedAddresses, userNames, token, preparedFor };
	return checkedCall(
		contractFunction,
		operation,
		{ address, args, value: value?.toString() },
		facts,
	);
}

/** Adds the addresses resolved from user IDs, if any, to an item. */
export function withResolvedAddresses(
	item: IDataObject,
	{ resolvedAddresses }: Pick<CheckedCall, 'resolvedAddresses'>,
): IDataObject {
	if (Object.keys(resolvedAddresses).length === 0) return item;
	return { ...item, resolvedAddresses: { ...resolvedAddresses } };
}

const RECIPIENT = 'recipient';

/** Reads the recipient: a user ID or an address. @throws InvalidInputError for anything else. */
export function readRecipient(read: ReadParameter): string {
	const value = read(RECIPIENT, '');
	assertOneUser(value, RECIPIENT);
	return parseUserOrWallet(value, RECIPIENT, (given) =>
		parseAddressOrPage(given, RECIPIENT, WALLET_PAGE, 'a wallet'),
	);
}

/**
 * Returns the recipient's wallet; a user ID is looked up.
 *
 * @throws InvalidInputError for an unknown user, or an address where tokens would be lost; ServiceError if the look-up fails
 */
export async function walletOf(given: string, token: string, lookUps: LookUps): Promise<string> {
	const wallet = isUserId(given) ? await lookUps.user(given, RECIPIENT) : given;
	refuseLostTokens(wallet, token, RECIPIENT);
	return wallet;
}
