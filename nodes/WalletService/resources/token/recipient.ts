import type { ReadParameter } from '../../request/run/read-parameter';
import { parseAddress } from '../../values/address';
import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import { isUserId } from '../../values/user-id';

const PARAMETER = 'recipient';
const NOBODY = /^0x0{40}$/i;

/** Who gets the tokens, as the user gave it. */
export interface Recipient {
	/** Without white space around it. */
	readonly given: string;
	/** Whether it is a user, whose wallet has to be looked up. */
	readonly isUser: boolean;
}

/** The contract address of the token that is sent. @throws InvalidInputError */
export function readToken(read: ReadParameter): string {
	const given = read('token', '');
	// Chosen in the form, or given as plain text by a workflow that was written by hand.
	const isChosen = isObject(given) && 'value' in given;
	return parseAddress(isChosen ? given.value : given, 'token');
}

/** @throws InvalidInputError for what is neither a user ID nor a right address. */
export function readRecipient(read: ReadParameter): Recipient {
	const value = read(PARAMETER, '');
	const given = typeof value === 'string' ? value.trim() : '';
	if (isUserId(given)) return { given, isUser: true };
	if (/^0x/i.test(given)) return { given: parseAddress(given, PARAMETER), isUser: false };
	throw new InvalidInputError({
		parameter: PARAMETER,
		value,
		message: `${quote(value)} is neither a user ID nor an address`,
		hint: 'Give one user ID, such as DISCORD-80351110224678912, or a wallet address: 0x and 40 hexadecimal digits',
	});
}

/**
 * The wallet of the recipient.
 *
 * @param addresses wallet address by user id
 * @throws InvalidInputError for an unknown user, and for an address from which nobody can send the tokens on.
 */
export function walletOf(
	{ given, isUser }: Recipient,
	addresses: ReadonlyMap<string, string>,
	token: string,
): string {
	const refuse = (message: string, hint: string): never => {
		throw new InvalidInputError({ parameter: PARAMETER, value: given, message, hint });
	};
	const wallet = isUser ? addresses.get(given) : given;
	if (wallet === undefined) {
		return refuse(
			`No wallet address is known for the user ${quote(given)}`,
			'Check the user ID, or give an address: 0x and 40 hexadecimal digits',
		);
	}
	const lost = 'what is sent there is lost. Use Contract: Write if you really mean it';
	if (NOBODY.test(wallet)) refuse('The zero address belongs to nobody', `Give a wallet: ${lost}`);
	if (wallet.toLowerCase() === token.toLowerCase()) {
		refuse(
			"This is the token's own contract",
			`Give the wallet that is to get the tokens: ${lost}`,
		);
	}
	return wallet;
}
