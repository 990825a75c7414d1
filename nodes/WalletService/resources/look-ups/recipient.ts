import type { ReadParameter } from '../../request/run/read-parameter';
import type { ExplorerPages } from '../../values/urls';
import { parseAddressOrPage, WALLET_PAGE } from '../../values/urls';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { assertOneUser, hintForUserId, isUserId } from '../../values/user-id';

const PARAMETER = 'recipient';
const PAGES: ExplorerPages = { page: WALLET_PAGE, about: 'a wallet' };
const NOBODY = /^0x0{40}$/i;

/** Who gets the tokens, as the user gave it. */
export interface Recipient {
	/** Without white space around it. */
	readonly given: string;
	/** Whether it is a user, whose wallet has to be looked up. */
	readonly isUser: boolean;
}

/** @throws InvalidInputError for what is neither a user ID nor a right address. */
export function readRecipient(read: ReadParameter): Recipient {
	const value = read(PARAMETER, '');
	assertOneUser(value, PARAMETER);
	const given = typeof value === 'string' ? value.trim() : '';
	if (isUserId(given)) return { given, isUser: true };
	if (/^(0x|https?:)/i.test(given)) {
		return { given: parseAddressOrPage(given, PARAMETER, PAGES), isUser: false };
	}
	throw new InvalidInputError({
		parameter: PARAMETER,
		value,
		message: `${quote(value)} is neither a user ID nor an address`,
		hint: `${hintForUserId(value)}, or give a wallet address: 0x and 40 hexadecimal digits`,
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
