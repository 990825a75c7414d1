import type { CheckedCall } from '../../contract/call';
import type { TokenStandard } from '../../contract/token-standards';
import { shortAddress } from '../../values/address';
import { foreignWords, inOneLine } from '../../values/quote';
import { formatUnitsExact } from '../../values/decimal';
import { shortUserId } from '../../values/user-id';

/** What is sent, or may be taken, by whom, as a person reads it. */
export interface TokenTransfer {
	readonly standard: TokenStandard;
	readonly token: string;
	/** A user ID or an address, as it was given. */
	readonly recipient: string;
	/** What that user calls themselves, cleaned. */
	readonly recipientName?: string;
	readonly to: string;
	/** The wallet that the tokens come from, where the call names it; whose it is, when that was looked up. */
	readonly from?: string;
	readonly fromUser?: string;
	readonly fromName?: string;
	/** Whether nothing moves yet: `to` may take the tokens from then on. */
	readonly isApproval?: boolean;
	/** In base units; of an ERC-721 token there is only one. */
	readonly amount?: bigint;
	/** Decimal places of the amount, when the token names them. */
	readonly decimals?: number;
	readonly symbol?: string;
	readonly tokenId?: bigint;
	/** The user of the credential, whose wallet sends; absent when the credential names none. */
	readonly sender?: string;
}

export interface TransferCall extends CheckedCall {
	readonly transfer: TokenTransfer;
}

/** An amount in whole tokens; `undefined` when the token does not say its decimals. */
export function wholeTokens({ amount, decimals }: TokenTransfer): string | undefined {
	return amount === undefined || decimals === undefined
		? undefined
		: formatUnitsExact(amount, decimals);
}

/** A token in words: by its symbol, which its contract has chosen, or by its address. */
export function tokenInWords({ symbol, token }: Pick<TokenTransfer, 'symbol' | 'token'>): string {
	return foreignWords(symbol) || token;
}

/** A token amount, or a piece, in words: `12.5 SUSD`. */
export function inWords(transfer: TokenTransfer): string {
	const { standard, amount, tokenId } = transfer;
	const name = tokenInWords(transfer);
	if (standard === 'erc721') return `${name} #${tokenId}`;
	if (standard === 'erc1155') return `${amount} of #${tokenId} of ${name}`;
	const whole = wholeTokens(transfer);
	return whole === undefined ? `${amount} base units of ${name}` : `${whole} ${name}`;
}

/** The recipient in words: a user with the beginning and the end of the wallet, or the whole address. */
export function recipientInWords(transfer: TokenTransfer): string {
	const { recipient, recipientName, to, from, sender } = transfer;
	const who = userInWords(recipient, to, recipientName);
	const isSameWallet = from?.toLowerCase() === to.toLowerCase();
	const isOwn = sender !== undefined && (recipient === sender || isSameWallet);
	return isOwn ? `${who}, your own wallet` : who;
}

/** A user with the beginning and the end of their wallet, and of the user ID when there is a name that says more; or the whole address. */
export function userInWords(userId: string, wallet: string, name?: string): string {
	if (userId === wallet) return wallet;
	if (name === undefined) return `${inOneLine(userId)} (${shortAddress(wallet)})`;
	return `${name} (${inOneLine(shortUserId(userId))}, ${shortAddress(wallet)})`;
}
