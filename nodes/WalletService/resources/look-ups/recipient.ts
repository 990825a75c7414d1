import type { ReadParameter } from '../../request/run/read-parameter';
import { isZeroAddress } from '../../values/address';
import { parseAddressOrPage, WALLET_PAGE } from '../../values/urls';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { assertOneUser, hintForUserId, isUserId } from '../../values/user-id';
import type { LookUps } from './look-ups';

const RECIPIENT = 'recipient';

/** Who gets the tokens: a user ID, or an address. @throws InvalidInputError for what is neither. */
export function readRecipient(read: ReadParameter): string {
	const value = read(RECIPIENT, '');
	assertOneUser(value, RECIPIENT);
	const given = typeof value === 'string' ? value.trim() : '';
	if (isUserId(given)) return given;
	if (/^(0x|https?:)/i.test(given)) {
		return parseAddressOrPage(given, RECIPIENT, WALLET_PAGE, 'a wallet');
	}
	const hint = `${hintForUserId(value)}, or give a wallet address: 0x and 40 hexadecimal digits`;
	return refuse(RECIPIENT, value, `${quote(value)} is neither a user ID nor an address`, hint);
}

/** The wallet of the recipient. @throws InvalidInputError for an unknown user, and where tokens are lost; ServiceError */
export async function walletOf(given: string, token: string, lookUps: LookUps): Promise<string> {
	const wallet = isUserId(given) ? await lookUps.user(given, RECIPIENT) : given;
	const lost = 'what is sent there is lost';
	if (isZeroAddress(wallet)) {
		refuse(RECIPIENT, given, 'The zero address belongs to nobody', `Give a wallet: ${lost}`);
	}
	if (wallet.toLowerCase() === token.toLowerCase()) {
		const hint = `Give the wallet that is to get the tokens: ${lost}`;
		refuse(RECIPIENT, given, "This is the token's own contract", hint);
	}
	return wallet;
}
