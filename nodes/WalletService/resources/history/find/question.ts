import type { Decimal } from '../../../values/decimal';

/** A transfer as it is described: by what it is, not by which transaction made it. */
export interface Content {
	/** Token contract, lower case. */
	readonly tokenAddress: string;
	/** Receiving wallet, lower case. */
	readonly toAddress: string;
	/** In whole tokens. */
	readonly amount: Decimal;
	/** Not before this time, in milliseconds since 1970. */
	readonly since: number;
}

/** Which transfer an item looks for: by one of the two. */
export interface Question {
	/** Transaction hash, lower case. */
	readonly hash?: string;
	readonly content?: Content;
}
