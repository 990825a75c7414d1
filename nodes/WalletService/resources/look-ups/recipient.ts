import type { ReadParameter } from '../../request/run/read-parameter';
import { isZeroAddress } from '../../values/address';
import { parseAddressOrPage, WALLET_PAGE } from '../../values/urls';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { assertOneUser, hintForUserId, isUserId } from '../../values/user-id';
import type { LookUps } from './look-ups';

const RECIPIENT = 'recipient';

/** Who gets the tokens, as the user gave it. */
export interface Recipient {
	/** Without white space around it. */
	readonly given: string;
	/** Whether it is a user, whose wallet has to be looked up. */
	readonly isUser: boolean;
}

/** @throws InvalidInputError for what is neither a user ID nor a right address. */
export function readRecipient(read: ReadParameter): Recipient {
	const value = read(RECIPIENT, '');
	assertOneUser(value, RECIPIENT);
	const given = typeof value === 'string' ? value.trim() : '';
	if (isUserId(given)) return { given, isUser: true };
	if (/^(0x|https?:)/i.test(given)) {
		const pages = { page: WALLET_PAGE, about: 'a wallet' };
		return { given: parseAddressOrPage(given, RECIPIENT, pages), isUser: false };
	}
	return refuse(
		RECIPIENT,
		value,
		`${quote(value)} is neither a user ID nor an address`,
		`${hintForUserId(value)}, or give a wallet address: 0x and 40 hexadecimal digits`,
	);
}

/** The wallet of the recipient. @throws InvalidInputError for an unknown user, and where tokens are lost; ServiceError */
export async function walletOf(
	{ given, isUser }: Recipient,
	token: string,
	lookUps: LookUps,
): Promise<string> {
	const wallet = isUser ? await lookUps.user(given, RECIPIENT) : given;
	const lost = 'what is sent there is lost';
	if (isZeroAddress(wallet)) {
		refuse(RECIPIENT, given, 'The zero address belongs to nobody', `Give a wallet: ${lost}`);
	}
	if (wallet.toLowerCase() === token.toLowerCase()) {
		refuse(
			RECIPIENT,
			given,
			"This is the token's own contract",
			`Give the wallet that is to get the tokens: ${lost}`,
		);
	}
	return wallet;
}
