import { shownUserId } from '../../values/user-id';

/** A name that only repeats the number of the chain, which tells a person nothing. */
const NUMBER = /^(?:chain\W*)?\d+$/i;

/** What a sentence about a write says of it, as far as it is known. */
export interface Where {
	/** The name of the network, as the service gives it. */
	readonly network?: string | undefined;
	/** The user whose wallet pays. */
	readonly user?: string | undefined;
	/** Their name, cleaned for use in a sentence. */
	readonly userName?: string | undefined;
	/** Address of their wallet. */
	readonly userAddress?: string | undefined;
}

/**
 * The network of a write, for the end of its sentence: test and real money must not look alike.
 *
 * @example onNetwork({ network: 'sepolia' }) // ', on sepolia'
 */
export function onNetwork({ network = '' }: Where): string {
	return network === '' || NUMBER.test(network) ? '' : `, on ${network}`;
}

/**
 * The same with the user whose wallet pays, by name if it is known; empty if the service does not name its network.
 *
 * @param names of users that were looked up
 * @example whereInWords({ network: 'sepolia', user: 'GITHUB-1' }, {}) // ', on sepolia by GITHUB-1'
 */
export function whereInWords(
	where: Where,
	names: Readonly<Record<string, string | undefined>> = {},
): string {
	const on = onNetwork(where);
	const { user } = where;
	if (on === '' || user === undefined) return on;
	const { userName = names[user] ?? shownUserId(user) } = where;
	return `${on} by ${userName}`;
}
