import type { CheckedCall } from '../../contract/call';
import type { TokenStandard } from '../../contract/token-standards';
import { foreignWords } from '../../values/quote';
import { formatUnitsExact } from '../../values/decimal';
import { userInWords } from '../../values/user-id';

/** A transfer or approval of tokens, with the facts for its description. */
export interface TokenTransfer {
	readonly standard: TokenStandard;
	/** Whether the contract reported the standard, which the words then state. */
	readonly isStandardFound?: boolean;
	readonly token: string;
	/** A user ID or an address, as entered. */
	readonly recipient: string;
	/** The recipient's name, cleaned for use in a sentence. */
	readonly recipientName?: string;
	readonly to: string;
	/** The wallet that the tokens leave, if the call contains it; its user and their name, if looked up. */
	readonly from?: string;
	readonly fromUser?: string;
	readonly fromName?: string;
	/** Whether the call moves no tokens, but allows `to` to take them. */
	readonly isApproval?: boolean;
	/** In base units; absent for ERC-721, whose tokens are unique. */
	readonly amount?: bigint;
	/** Decimals of the token, if it reports them. */
	readonly decimals?: number;
	readonly symbol?: string;
	readonly tokenId?: bigint;
	/** The user of the credential, whose wallet sends; absent if the credential has none. */
	readonly sender?: string;
	/** Address of that wallet; absent if nobody was asked for it. */
	readonly senderAddress?: string | undefined;
}

export interface TransferCall extends CheckedCall {
	readonly transfer: TokenTransfer;
}

/** Converts an amount to whole tokens; `undefined` if the token's decimals are unknown. */
export function wholeTokens({ amount, decimals }: TokenTransfer): string | undefined {
	return amount === undefined || decimals === undefined
		? undefined
		: formatUnitsExact(amount, decimals);
}

/** A token in words: its symbol, chosen by its contract, or its address. */
export function tokenInWords({ symbol, token }: Pick<TokenTransfer, 'symbol' | 'token'>): string {
	return foreignWords(symbol) || token;
}

/** A token amount, or an NFT, in words: `12.5 SUSD`. */
export function inWords(transfer: TokenTransfer): string {
	const { standard, amount, tokenId, isStandardFound } = transfer;
	const name = tokenInWords(transfer);
	const found = (title: string): string => (isStandardFound === true ? ` (${title})` : '');
	if (standard === 'erc721') return `${name} #${tokenId}${found('ERC-721')}`;
	if (standard === 'erc1155') return `${amount} of #${tokenId} of ${name}${found('ERC-1155')}`;
	const whole = wholeTokens(transfer);
	return whole === undefined ? `${amount} base units of ${name}` : `${whole} ${name}`;
}

/** The recipient in words: a user with a shortened wallet address, or the full address. */
export function recipientInWords(transfer: TokenTransfer): string {
	const { recipient, recipientName, to, from, sender, senderAddress } = transfer;
	const who = userInWords(recipient, to, recipientName);
	const wallets = [from, senderAddress].map((wallet) => wallet?.toLowerCase());
	const isOwn =
		sender !== undefined && (recipient === sender || wallets.includes(to.toLowerCase()));
	return isOwn ? `${who}, your own wallet` : who;
}
