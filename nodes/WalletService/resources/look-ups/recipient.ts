import { refuseLostTokens } from '../../contract/guards';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseAddressOrPage, WALLET_PAGE } from '../../values/urls';
import { assertOneUser, isUserId, parseUserOrWallet } from '../../values/user-id';
import type { LookUps } from './look-ups';

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
