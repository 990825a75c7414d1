import type { ContractFunction } from './function';
import type { TokenFacts } from './token-amount';

/** Body of a contract request (interface, sections 4.5 and 4.6). */
export interface ContractCall {
	readonly address: string;
	/** Abbreviated signature of the one function. */
	readonly abi: string;
	/** One string per argument, in order. */
	readonly args: string[];
	/** Native coin to send along, in wei, as a decimal string; writes only. */
	readonly value?: string;
}

/** A call that is ready to be sent. */
export interface CheckedCall {
	readonly call: ContractCall;
	readonly contractFunction: ContractFunction;
	/** Wallet address by user ID, for the IDs that were given for an address. */
	readonly resolvedAddresses: Readonly<Record<string, string>>;
	/** What the called contract said of itself as a token, when it was asked. */
	readonly token?: TokenFacts;
	/** Base URL of the service that was asked for parts of the call: at another one they can mean something else. */
	readonly preparedFor?: string;
	/** User of the credential whose wallet the call was prepared for, when it is known. */
	readonly sender?: string;
}
