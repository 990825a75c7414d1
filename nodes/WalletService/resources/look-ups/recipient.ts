import type { ReadParameter } from '../../request/run/read-parameter';
import { isZeroAddress } from '../../values/address';
import { parseAddressOrPage, WALLET_PAGE } from '../../values/urls';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { assertOneUser, hintForUserId, isUserId } from '../../values/user-id';
import type { LookUps } from './look-ups';

const RECIPIENT = 'recipient';

/** The recipient: a user ID or an address. @throws InvalidInputError for anything else. */
export function readRecipient(read: ReadParameter): string {
	const value = read(RECIPIENT, '');
	assertOneUser(value, RECIPIENT);
	const given = typeof value === 'string' ? value.trim() : '';
	if (isUserId(given)) return given;
	if (/^(0x|https?:)/i.test(given)) {
		return parseAddressOrPage(given, RECIPIENT, WALLET_PAGE, 'a wallet');
	}
	const hint = `${hintForUserId(value)}. A wallet address also works`;
	return refuse(
		RECIPIENT,
		value,
		`${quote(value)} is neither a user ID nor a wallet address`,
		hint,
	);
}

/**
 * The wallet of the recipient.
 *
 * @throws InvalidInputError for an unknown user, or a wallet where tokens are lost; ServiceError if the look-up fails
 */
export async function walletOf(given: string, token: string, lookUps: LookUps): Promise<string> {
	const wallet = isUserId(given) ? await lookUps.user(given, RECIPIENT) : given;
	const lost = 'tokens sent there are lost';
	if (isZeroAddress(wallet)) {
		refuse(
			RECIPIENT,
			given,
			`The zero address belongs to nobody: ${lost}`,
			'Enter a wallet address',
		);
	}
	if (wallet.toLowerCase() === token.toLowerCase()) {
		const hint = "Enter the recipient's wallet address";
		refuse(RECIPIENT, given, `This is the token's own contract: ${lost}`, hint);
	}
	return wallet;
}
