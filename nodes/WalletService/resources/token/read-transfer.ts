import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { readActiveCredential } from '../../request/credential/active-credential';
import { baseUrlOf } from '../../request/credential/base-url';
import { credentialUser } from '../../request/credential/signed-in-user';
import type { TokenStandard } from '../../contract/token-standards';
import { isTokenStandard } from '../../contract/token-standards';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { ReadParameter } from '../../request/run/read-parameter';
import type { Run } from '../../request/run/run';
import type { Written } from '../../values/amount';
import { parseWholeAmount, toBaseUnits } from '../../values/amount';
import { MAX_UINT256 } from '../../values/integers';
import { InvalidInputError, refuse } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { quote } from '../../values/quote';
import { resolveUsers } from '../look-ups/user-addresses';
import { parseToken } from '../read-token';
import type { Recipient } from '../look-ups/recipient';
import { readRecipient, walletOf } from '../look-ups/recipient';
import { decimalsOf, symbolInWords } from '../look-ups/token-facts';
import type { Transfer, TransferCall } from '../writing/transfer';
import { callOf, tokenInWords } from '../writing/transfer';

/** What an item asks for, as far as its parameters say it. */
interface Asked {
	readonly standard: TokenStandard;
	readonly token: string;
	readonly recipient: Recipient;
	/** Absent for ERC-721. */
	readonly amount?: Written;
	/** Absent for ERC-20. */
	readonly tokenId?: bigint;
}

function readStandard(read: ReadParameter): TokenStandard {
	const value = read('tokenStandard', 'erc20');
	if (isTokenStandard(value)) return value;
	throw new InvalidInputError({
		parameter: 'tokenStandard',
		value,
		message: `${quote(value)} is not a token standard`,
		hint: 'Choose erc20, erc721 or erc1155',
	});
}

function readTokenId(read: ReadParameter): bigint {
	const value = read('pieceId', '');
	const isText = typeof value === 'string' || Number.isSafeInteger(value);
	const text = isText ? String(value).trim() : '';
	const id = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
	if (id !== undefined && id <= MAX_UINT256) return id;
	throw new InvalidInputError({
		parameter: 'pieceId',
		value,
		message: `${quote(value)} is not a token ID`,
		hint: 'Give the number of the piece in digits, for example 42; long ones as text',
	});
}

/** An amount to send in base units. @throws InvalidInputError for 0, and for more than a contract can hold. */
function unitsToSend(amount: Written, name: string, decimals: number): bigint {
	const units = toBaseUnits(amount, decimals, 'amount', name);
	const text = quote(amount.text);
	if (units === 0n) refuse('amount', amount.text, `${text} is nothing to send`, 'Give more than 0');
	if (units <= MAX_UINT256) return units;
	return refuse(
		'amount',
		amount.text,
		`${text} is more than a token contract can hold`,
		'Give at most 2^256 - 1 base units',
	);
}

/** @throws InvalidInputError that names the parameter. */
function readAsked(read: ReadParameter): Asked {
	const standard = readStandard(read);
	return {
		standard,
		token: parseToken(read('token', '')),
		recipient: readRecipient(read),
		...(standard !== 'erc721' && { amount: parseWholeAmount(read('amount', ''), 'amount') }),
		...(standard !== 'erc20' && { tokenId: readTokenId(read) }),
	};
}

/** The user of a credential. @throws InvalidInputError when the token is sent by a function that asks for the sender. */
function senderOf(
	credential: ICredentialDataDecryptedObject,
	standard: TokenStandard,
): string | undefined {
	const user = credentialUser(credential);
	if (user !== undefined || standard === 'erc20') return user;
	const given = String(credential.userId ?? '').trim();
	throw new InvalidInputError({
		message:
			given === ''
				? 'The credential names no user, whose wallet an NFT is sent from'
				: `The User ID of the credential, ${quote(given)}, is not a user ID`,
		hint: 'Open the credential of this node, and enter under User ID the user that the token belongs to',
	});
}

function walletOfSender(sender: string, addresses: ReadonlyMap<string, string>): string {
	const wallet = addresses.get(sender);
	if (wallet !== undefined) return wallet;
	throw new InvalidInputError({
		message: `No wallet address is known for the user of the credential, ${quote(sender)}`,
		hint: 'Open the credential of this node, and correct its User ID',
	});
}

/**
 * The transfer that an item asks for, with all that has to be looked up.
 *
 * @throws InvalidInputError that names the parameter; ServiceError when something cannot be looked up.
 */
export async function readTransfer(
	item: Item,
	run: Run,
	client: ServiceClient,
): Promise<TransferCall> {
	const asked = readAsked(item.read);
	const { standard, token, recipient, tokenId } = asked;
	// Before everything that is looked up.
	const credential = await readActiveCredential(item.context);
	const preparedFor = baseUrlOf(credential);
	const sender = senderOf(credential, standard);
	const isFromWallet = standard !== 'erc20' && sender !== undefined;
	const users = [...(recipient.isUser ? [recipient.given] : []), ...(isFromWallet ? [sender] : [])];
	const addresses = await resolveUsers(item, run, [...new Set(users)], client);
	const to = walletOf(recipient, addresses, token);
	const from = isFromWallet ? walletOfSender(sender, addresses) : undefined;
	// An ERC-1155 contract has neither a symbol nor decimals.
	const symbol = standard === 'erc1155' ? undefined : await symbolInWords(item, run, client, token);
	const isErc20 = standard === 'erc20';
	const decimals = isErc20 ? await decimalsOf(item, run, client, token) : undefined;
	if (isErc20 && decimals === undefined) {
		refuse(
			'token',
			token,
			`${token} does not say its decimals: is it an ERC-20 token?`,
			'Check the address and the Token Standard. To send base units of it, use Contract: Write',
		);
	}
	const name = isErc20 ? tokenInWords({ symbol, token }) : 'An ERC-1155 token';
	const amount = asked.amount && unitsToSend(asked.amount, name, decimals ?? 0);
	const given = { standard, token, recipient: recipient.given, to, tokenId, sender };
	const transfer: Transfer = defined({ ...given, symbol, amount, decimals });
	return callOf(transfer, from, {
		resolvedAddresses: Object.fromEntries(addresses),
		preparedFor,
		...(sender !== undefined && { sender }),
	});
}
