import type { Account } from '../../request/credential/account';
import { checkedCall } from '../../contract/call';
import type { ParameterRole, TokenStandard } from '../../contract/token-standards';
import { findCommonFunction } from '../../contract/token-standards';
import type { TokenFacts } from '../../contract/token-amount';
import { isOfToken, TOKEN_WORD, tokensToBaseUnits } from '../../contract/token-amount';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { ReadParameter } from '../../request/run/read-parameter';
import type { Written } from '../../values/amount';
import { parseWholeAmount, toBaseUnits } from '../../values/amount';
import { isInexact, refuseInexact } from '../../values/computed-number';
import { MAX_UINT256 } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { parseToken } from '../read-token';
import { LookUps, readRecipient, walletOf } from '../look-ups/look-ups';
import { refuseNoContract } from '../look-ups/no-contract';
import { decimalsInWords, symbolInWords } from '../look-ups/token-facts';
import type { TransferCall } from '../writing/transfer';
import { tokenInWords } from '../writing/transfer';
import { findStandard, readPiece } from './standard';

/** What a token is that cannot be sent as ERC-20, and what to do about its amount. */
const OTHER_KINDS = {
	NFT: ['is an NFT', 'leave Amount empty'],
	items: ['is a collection of items', 'enter the quantity as Amount'],
} as const;

/** The function of each standard that sends a token. */
const TRANSFERS: Readonly<Record<TokenStandard, string>> = {
	erc20: 'ERC-20 transfer(address,uint256)',
	erc721: 'ERC-721 safeTransferFrom(address,address,uint256)',
	erc1155: 'ERC-1155 safeTransferFrom(address,address,uint256,uint256,bytes)',
};

/** Reads an amount to send; for ERC-20 in whole tokens, optionally with the symbol. @throws InvalidInputError */
function readAmount(read: ReadParameter, isErc20: boolean): Written {
	const accepts = isErc20 ? isOfToken : undefined;
	const written = parseWholeAmount(read('amount', ''), 'amount', undefined, accepts);
	return isErc20 && written.unit === '' ? { ...written, unit: TOKEN_WORD } : written;
}

/** Converts an amount to send to base units. @throws InvalidInputError for 0, or more than a contract can hold */
function unitsToSend(amount: Written, facts: TokenFacts): bigint {
	const units =
		amount.unit === ''
			? toBaseUnits(amount, 0, 'amount', 'An ERC-1155 token')
			: tokensToBaseUnits(amount, facts, 'amount');
	const text = quote(amount.text);
	if (units === 0n) refuse('amount', `${text} is zero`, 'Enter an amount above 0');
	if (units <= MAX_UINT256) return units;
	const problem = `${text} is more than a token contract can hold`;
	return refuse('amount', problem, 'Enter at most 2^256 - 1 base units');
}

/** Reads a credential's user. @throws InvalidInputError if it has none and the token standard needs the sender's address. */
function senderOf(
	{ credential, userId: user }: Account,
	standard: TokenStandard,
): string | undefined {
	if (user !== undefined || standard === 'erc20') return user;
	const given = String(credential.userId ?? '').trim();
	const problem =
		given === ''
			? 'The credential has no user ID, so the wallet that sends the NFT is unknown'
			: `The User ID ${quote(given)} of the credential is not a user ID`;
	const hint = 'Open the credential of this node and enter its user under User ID';
	return refuse(undefined, problem, hint);
}

async function walletOfSender(sender: string, lookUps: LookUps): Promise<string> {
	const problem = `No wallet address is known for the credential's user ${quote(sender)}`;
	const hint = 'Open the credential of this node and correct its User ID';
	return (await lookUps.find(sender)) ?? refuse(undefined, problem, hint);
}

/** Reads the transfer that an item describes, and performs all look-ups. @throws InvalidInputError, ServiceError */
export async function readTransfer({ read }: Item, client: ServiceClient): Promise<TransferCall> {
	const { standard: chosen, tokenId, hasAmount } = readPiece(read);
	const isErc20 = chosen === 'erc20';
	const token = parseToken(read('token', ''));
	const recipient = readRecipient(read);
	const computed = isErc20 ? read('amount', '') : undefined;
	if (isInexact(computed)) {
		const decimals = await decimalsInWords(token, client);
		refuseInexact(computed, 'amount', { decimals });
	}
	let given = hasAmount ? readAmount(read, isErc20) : undefined;
	const lookUps = new LookUps(client, token);
	const standard = chosen ?? (await findStandard(token, read('token', ''), await lookUps.open()));
	// An empty quantity is never guessed.
	if (standard === 'erc1155') given ??= readAmount(read, false);
	const sender = senderOf(await (await lookUps.open()).account(), standard);
	const to = await walletOf(recipient, token, lookUps);
	const isFromWallet = !isErc20 && sender !== undefined;
	const from = isFromWallet ? await walletOfSender(sender, lookUps) : undefined;
	// An ERC-1155 contract has neither a symbol nor decimals.
	let facts: TokenFacts = { address: token, isStandardFound: chosen === undefined };
	if (isErc20 && given) facts = await lookUps.facts(given);
	if (standard === 'erc721') facts = { ...facts, symbol: await symbolInWords(token, client) };
	const { decimals, symbol } = facts;
	// An old NFT would take the amount for the ID of a piece.
	const kind = isErc20 && (decimals ?? 0) === 0 ? await lookUps.kind() : undefined;
	const name = tokenInWords({ symbol, token });
	if (kind !== undefined) {
		const [problem, what] = OTHER_KINDS[kind];
		const hint = `Add Token ID under Options, and ${what}`;
		refuse('token', `${name} ${problem}, not an ERC-20 token`, hint);
	}
	if (isErc20 && decimals === undefined) {
		await refuseNoContract(read('token', ''), token, client);
		const problem = `${name} does not look like an ERC-20 token: it has no decimals`;
		const hint =
			'For an NFT, add Token ID under Options, enter the ID, and choose ERC-721 or ERC-1155 under Token Standard, also there; a token without decimals can be sent with Contract: Write, in base units; otherwise check the address';
		refuse('token', problem, hint);
	}
	const amount = given && unitsToSend(given, facts);
	if (standard === 'erc721' && amount !== undefined && amount !== 1n) {
		const problem = `${quote(given?.text)} of an NFT cannot be sent, as there is only one with a Token ID`;
		refuse('amount', problem, 'Leave it empty, or enter 1');
	}
	const choice = { parameter: 'tokenStandard', operation: 'write' } as const;
	const { fn: contractFunction, roles } = findCommonFunction(TRANSFERS[standard], choice);
	const parts: Partial<Record<ParameterRole, unknown>> = {
		sender: from,
		recipient: to,
		amount,
		quantity: amount,
		tokenId,
		kind: tokenId,
		data: '0x',
	};
	const args = roles.map((role) => String(parts[role]));
	const { resolvedAddresses, userNames, preparedFor } = lookUps;
	const known = { recipient, recipientName: userNames[recipient], to, from, decimals, symbol };
	const sent = standard === 'erc721' ? undefined : amount;
	const { isStandardFound } = facts;
	const transfer = { standard, isStandardFound, token, amount: sent, tokenId, sender, ...known };
	const found = { resolvedAddresses, userNames, preparedFor, sender, token: facts, transfer };
	return checkedCall(contractFunction, 'write', { address: token, args }, found);
}
