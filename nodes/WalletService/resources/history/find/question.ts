import type { Decimal } from '../../../values/decimal';

/** Which transfer an item looks for; what is absent may be anything. */
export interface Question {
	/** Transaction hash, lower case; absent when the transfer is looked for by its content. */
	readonly hash?: string;
	/** Token contract, lower case. */
	readonly tokenAddress?: string;
	/** Receiving wallet, lower case. */
	readonly toAddress?: string;
	/** In whole tokens. */
	readonly amount?: Decimal;
	/** When it was submitted, in milliseconds since 1970. By content, no earlier transfer counts. */
	readonly since?: number;
}
