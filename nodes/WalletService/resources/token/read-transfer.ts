import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { TokenStandard } from '../../contract/token-standards';
import { isTokenStandard } from '../../contract/token-standards';
import { readActiveCredential } from '../../request/credential/active-credential';
import { credentialUser } from '../../request/credential/credential-user';
import type { ReadParameter } from '../../request/run/read-parameter';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { baseUrlOf } from '../../writes/earlier-try';
import { LookUps } from '../look-ups/look-ups';
import { readRecipient, walletOf } from '../look-ups/recipient';
import { decimalsOf, symbolInWords } from '../look-ups/token-facts';
import { parseToken } from '../read-token';
import type { Submitter } from '../writing/submission';
import type { TransferCall } from '../writing/transfer';
import { callOf, tokenInWords } from '../writing/transfer';
import { amountText, MAX_BASE_UNITS, toBaseUnits } from './amount';

function readStandard(read: ReadParameter): TokenStandard {
	const value = read('tokenStandard', 'erc20');
	if (isTokenStandard(value)) return value;
	return refuse(
		'tokenStandard',
		value,
		`${quote(value)} is not a token standard`,
		'Choose erc20, erc721 or erc1155',
	);
}

function readTokenId(read: ReadParameter): bigint {
	const value = read('pieceId', '');
	const isText = typeof value === 'string' || Number.isSafeInteger(value);
	const text = isText ? String(value).trim() : '';
	const id = /^\d{1,78}$/.test(text) ? BigInt(text) : undefined;
	if (id !== undefined && id <= MAX_BASE_UNITS) return id;
	return refuse(
		'pieceId',
		value,
		`${quote(value)} is not a token ID`,
		'Give the number of the piece in digits, for example 42; long ones as text',
	);
}

/** The user of a credential. @throws InvalidInputError if it names none and the token standard needs the sender's address. */
function senderOf(
	credential: ICredentialDataDecryptedObject,
	standard: TokenStandard,
): string | undefined {
	const user = credentialUser(credential);
	if (user !== undefined || standard === 'erc20') return user;
	const given = String(credential.userId ?? '').trim();
	return refuse(
		undefined,
		undefined,
		given === ''
			? 'The credential names no user, whose wallet an NFT is sent from'
			: `The User ID of the credential, ${quote(given)}, is not a user ID`,
		'Open the credential of this node, and enter under User ID the user that the token belongs to',
	);
}

/** The wallet of the credential's user. */
async function walletOfSender(sender: string, lookUps: LookUps): Promise<string> {
	return (
		(await lookUps.find(sender)) ??
		refuse(
			undefined,
			undefined,
			`No wallet address is known for the user of the credential, ${quote(sender)}`,
			'Open the credential of this node, and correct its User ID',
		)
	);
}

/** Amount and decimals of an ERC-20 transfer, by what the token says. */
async function amountByToken(
	text: string,
	{ token, symbol, submitter }: { token: string; symbol?: string; submitter: Submitter },
) {
	const decimals = await decimalsOf(token, submitter);
	if (decimals !== undefined) {
		return {
			amount: toBaseUnits(text, { name: tokenInWords({ symbol, token }), decimals }),
			decimals,
		};
	}
	return refuse(
		'token',
		token,
		`${token} does not say its decimals: is it an ERC-20 token?`,
		'Check the address and the Token Standard. To send base units of it, use Contract: Write',
	);
}

/**
 * The transfer that an item asks for, with all that has to be looked up.
 *
 * @throws InvalidInputError that names the parameter; ServiceError when something cannot be looked up.
 */
export async function readTransfer(submitter: Submitter): Promise<TransferCall> {
	const { context, read } = submitter.item;
	const standard = readStandard(read);
	const token = parseToken(read('token', ''));
	const recipient = readRecipient(read);
	const text = standard === 'erc721' ? '' : amountText(read('amount', ''));
	const tokenId = standard === 'erc20' ? undefined : readTokenId(read);
	const credential = await readActiveCredential(context);
	const lookUps = new LookUps(submitter, token);
	lookUps.preparedFor = baseUrlOf(credential);
	const sender = senderOf(credential, standard);
	const to = await walletOf(recipient, token, lookUps);
	const isFromWallet = standard !== 'erc20' && sender !== undefined;
	const from = isFromWallet ? await walletOfSender(sender, lookUps) : undefined;
	// An ERC-1155 contract has neither a symbol nor decimals.
	const symbol = standard === 'erc1155' ? undefined : await symbolInWords(token, submitter);
	const parts = { standard, token, recipient: recipient.given, to, symbol, tokenId, sender };
	const amounts =
		standard === 'erc20'
			? await amountByToken(text, { token, symbol, submitter })
			: standard === 'erc1155'
				? { amount: toBaseUnits(text, { name: 'An ERC-1155 token', decimals: 0 }) }
				: {};
	return await callOf({ ...parts, ...amounts }, from, lookUps);
}
