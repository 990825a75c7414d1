import type { IDataObject } from 'n8n-workflow';

import type { Resolve } from '../../contract/argument-value';
import { encodeArguments } from '../../contract/arguments';
import type { CheckedCall } from '../../contract/call';
import type { ContractFunction, ContractOperation } from '../../contract/function';
import { abbreviatedSignature } from '../../contract/function';
import type { TokenFacts } from '../../contract/token-amount';
import { isMistaken, TOKEN_WORD, tokensToBaseUnits } from '../../contract/token-amount';
import type { TokenStandard } from '../../contract/token-standards';
import { readActiveCredential } from '../../request/credential/active-credential';
import { baseUrlOf } from '../../request/credential/base-url';
import type { Written } from '../../values/amount';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { decimalsInWords, decimalsOf, symbolInWords, symbolOf } from './token-facts';
import type { Asker, Seeker } from './user-addresses';
import { knownUser } from './user-addresses';

/** A contract call as it was given, with its arguments still to be checked. */
export interface PlannedCall {
	readonly contractFunction: ContractFunction;
	readonly contractAddress: string;
	readonly args: unknown;
	/** Whose function was chosen from the list of common functions; absent of one that was written down. */
	readonly standard?: TokenStandard;
	/** The parameter that holds the arguments, for errors. */
	readonly parameter: string;
	/** Whether a whole number without a unit is refused for an amount of tokens. */
	readonly needsUnit?: boolean;
	/** Native coin to send along, in wei; absent if none is given. */
	readonly value?: bigint;
}

/** Looks up what one call needs, where it is met, and keeps it for the output. */
export class LookUps implements Resolve {
	/** Wallet address by user ID, in the order in which they were met. */
	readonly resolvedAddresses: Record<string, string> = {};

	/** What those users call themselves, as far as they do. */
	readonly userNames: Record<string, string> = {};

	/** What the called contract said of itself, if it was asked. */
	token: TokenFacts | undefined;

	/** Base URL of the service, read before anything is looked up; absent if nothing was. */
	preparedFor: string | undefined;

	readonly #seeker: Seeker;

	#asker: Asker | undefined;

	readonly #contract: string;

	constructor(seeker: Seeker, contract: string) {
		this.#seeker = seeker;
		this.#contract = contract;
	}

	/** Reads the credential, once for all that is looked up. @throws InvalidInputError for a base URL that is not acceptable */
	async open(): Promise<Asker> {
		if (this.#asker !== undefined) return this.#asker;
		const credential = await readActiveCredential(this.#seeker.item.context);
		this.preparedFor = baseUrlOf(credential);
		this.#asker = { ...this.#seeker, credential };
		return this.#asker;
	}

	/** The wallet address of a user. @throws InvalidInputError for an unknown one, ServiceError when it cannot be looked up. */
	async user(userId: string, path: string): Promise<string> {
		const problem = `No wallet address is known for the user ${quote(userId)}`;
		const hint = 'Check the user ID, or give an address: 0x and 40 hexadecimal digits';
		return (await this.find(userId)) ?? refuse(path, userId, problem, hint);
	}

	/** The same, `undefined` for an unknown user. @throws ServiceError when it cannot be looked up. */
	async find(userId: string): Promise<string | undefined> {
		const user = await knownUser(userId, await this.open());
		if (user !== undefined) this.resolvedAddresses[userId] = user.address;
		if (user?.name !== undefined) this.userNames[userId] = user.name;
		return user?.address;
	}

	/**
	 * An amount of the called token in base units.
	 *
	 * @throws InvalidInputError for what is not an amount of the token, ServiceError when it cannot be asked for what decides.
	 */
	async tokens(amount: Written, path: string): Promise<bigint> {
		this.token = await this.facts(amount);
		return tokensToBaseUnits(amount, this.token, path);
	}

	/** What decides how many base units an amount of the called token is. @throws ServiceError when it cannot be asked. */
	async facts(amount: Written): Promise<TokenFacts> {
		const [address, asker] = [this.#contract, await this.open()];
		// A mistaken amount only needs a word for its refusal.
		if (isMistaken(amount, true)) return { address, symbol: await symbolInWords(address, asker) };
		const decimals = await decimalsOf(address, asker);
		const symbol = await (amount.unit === TOKEN_WORD ? symbolInWords : symbolOf)(address, asker);
		return { address, decimals, symbol };
	}

	/** What the called token says of itself, as far as it can be asked; for words alone. */
	async tokenInWords(): Promise<TokenFacts> {
		const [address, asker] = [this.#contract, await this.open()];
		const decimals = await decimalsInWords(address, asker);
		return { address, decimals, symbol: await symbolInWords(address, asker) };
	}
}

/** A planned call in canonical form. @throws InvalidInputError that names the argument, ServiceError when a look-up fails. */
export async function completeCall(
	{ contractFunction, contractAddress: address, value, ...given }: PlannedCall,
	operation: ContractOperation,
	lookUps: LookUps,
): Promise<CheckedCall> {
	const { parameter, needsUnit } = given;
	const args = await encodeArguments(contractFunction, given.args, parameter, lookUps, needsUnit);
	const abi = abbreviatedSignature(contractFunction, operation);
	const call = { address, abi, args, ...(value !== undefined && { value: value.toString() }) };
	const { resolvedAddresses, userNames, token, preparedFor } = lookUps;
	return { call, contractFunction, resolvedAddresses, userNames, token, preparedFor };
}

/** An item with the addresses that were used for user IDs, if any. */
export function withResolvedAddresses(
	item: IDataObject,
	{ resolvedAddresses }: Pick<CheckedCall, 'resolvedAddresses'>,
): IDataObject {
	if (Object.keys(resolvedAddresses).length === 0) return item;
	return { ...item, resolvedAddresses: { ...resolvedAddresses } };
}
