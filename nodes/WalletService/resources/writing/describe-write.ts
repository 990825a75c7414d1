import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { TokenMove } from '../../contract/token-moves';
import { numbersInWords } from '../../contract/token-moves';
import { ServiceError } from '../../request/failure/service-error';
import { shortAddress } from '../../values/address';
import { UNIT_DECIMALS } from '../../values/amount';
import { formatUnitsExact } from '../../values/decimal';
import { MAX_UINT256 } from '../../values/integers';
import { defined } from '../../values/objects';
import { userInWords } from '../../values/user-id';
import type { TokenTransfer } from './transfer';
import { inWords, recipientInWords, tokenInWords, wholeTokens } from './transfer';
import type { Where } from './where';

/** A description of a write for its output. */
export interface WriteInWords {
	/** A phrase that continues a sentence. */
	readonly words: string;
	/** Fields for people. */
	readonly first: IDataObject;
	/** Fields for programs. */
	readonly then: IDataObject;
	/** Fields that are rarely needed. */
	readonly last: IDataObject;
}

/** The possible fields of a submitted write, in order. */
export const WRITE_FIELDS: readonly string[] = [
	...['summary', 'amount', 'symbol', 'tokenId', 'recipient', 'recipientName', 'spender'],
	...['submitted', 'hash', 'explorerUrl', 'to', 'from', 'tokenAddress', 'baseUnits'],
	...['contractAddress', 'submittedAt', 'userId', 'resolvedAddresses'],
];

/** The possible fields of Token: Send. */
export const SEND_FIELDS: readonly string[] = WRITE_FIELDS.filter(
	(field) => field !== 'spender' && field !== 'contractAddress',
);

/** The user ID of a wallet address, if the call looked it up. */
function ownerOf(address: string, { resolvedAddresses }: CheckedCall): string | undefined {
	const entries = Object.entries(resolvedAddresses);
	return entries.find(([, wallet]) => wallet.toLowerCase() === address.toLowerCase())?.[0];
}

/** The transfer of a call, without look-ups: symbol and decimals are present only if the call already needed them. */
function transferOf(checked: CheckedCall, move: TokenMove, { userAddress }: Where): TokenTransfer {
	const { standard, party: to, from, isApproval } = move;
	const { call, token, sender, userNames = {} } = checked;
	const { decimals, symbol, isStandardFound } = token ?? {};
	const recipient = ownerOf(to, checked) ?? to;
	const fromUser = from === undefined ? undefined : ownerOf(from, checked);
	return {
		standard,
		isStandardFound,
		token: call.address,
		to,
		from,
		decimals,
		symbol,
		sender,
		senderAddress: userAddress,
		isApproval,
		recipient,
		recipientName: userNames[recipient],
		fromUser,
		fromName: fromUser && userNames[fromUser],
		amount: standard === 'erc721' ? undefined : move.amounts[0],
		tokenId: move.ids[0],
	};
}

function transferInWords(transfer: TokenTransfer): string {
	const { isApproval, amount, from, fromUser, fromName } = transfer;
	const who = recipientInWords(transfer);
	if (isApproval === true) {
		const what =
			amount === MAX_UINT256 ? `any amount of ${tokenInWords(transfer)}` : inWords(transfer);
		return `permission for ${who} to take ${what}`;
	}
	if (from === undefined) return `${inWords(transfer)} to ${who}`;
	const owner = fromUser === undefined ? shortAddress(from) : userInWords(fromUser, from, fromName);
	return `${inWords(transfer)} from ${owner} to ${who}`;
}

/** The human-readable fields of a transfer. */
export function fieldsForPeople(transfer: TokenTransfer): IDataObject {
	const { standard, symbol, tokenId, recipient, recipientName, isApproval } = transfer;
	const amount = standard === 'erc1155' ? String(transfer.amount) : wholeTokens(transfer);
	const who = isApproval === true ? { spender: recipient } : { recipient, recipientName };
	return defined({ amount, symbol, tokenId: tokenId?.toString(), ...who });
}

function fieldsForPrograms(transfer: TokenTransfer): IDataObject {
	const { standard, token: tokenAddress, to, from, amount, isApproval } = transfer;
	const baseUnits = standard === 'erc20' ? String(amount) : undefined;
	return defined({ to: isApproval === true ? undefined : to, from, tokenAddress, baseUnits });
}

/** Reasons for a refused transfer, by the name of its ERC-6093 error. */
const TOKEN_ERRORS: Readonly<Record<string, typeof hasNot>> = {
	ERC20InsufficientBalance: hasNot,
	ERC1155InsufficientBalance: hasNot,
	ERC721IncorrectOwner: hasNot,
	ERC20InsufficientAllowance: mayNot,
	ERC1155MissingApprovalForAll: mayNot,
	ERC721InsufficientApproval: (transfer, sender) =>
		transfer.fromUser === sender ? hasNot(transfer, sender) : mayNot(transfer, sender),
	ERC721NonexistentToken: (transfer) => `${inWords(transfer)} does not exist`,
	ERC721InvalidReceiver: cannotReceive,
	ERC1155InvalidReceiver: cannotReceive,
};

function hasNot(transfer: TokenTransfer, sender: string): string {
	const { standard, from = '', fromUser, fromName } = transfer;
	const owner = fromUser && fromName ? userInWords(fromUser, from, fromName) : (fromUser ?? from);
	return `${owner || sender} does not ${standard === 'erc721' ? 'own' : 'have'} ${inWords(transfer)}`;
}

function mayNot(transfer: TokenTransfer, sender: string): string {
	return `${sender} is not allowed to send ${inWords(transfer)}: the owner has not approved this wallet`;
}

function cannotReceive(transfer: TokenTransfer): string {
	return `${recipientInWords(transfer)} is a contract that cannot receive ${tokenInWords(transfer)}`;
}

/**
 * Puts a contract's refusal of a write into plain words if the call is known; otherwise it is unchanged. A refusal with a
 * hash is never reworded, so that no hash is lost.
 */
export function refusalInWords(error: unknown, checked: CheckedCall): unknown {
	if (!(error instanceof ServiceError) || !error.isRefused) return error;
	const { serviceText = '' } = error.details;
	const { move } = checked;
	const transfer = move?.isCertain === true ? transferOf(checked, move, {}) : undefined;
	// Services spell the names in various ways.
	const text = serviceText.replace(/[^a-z0-9]/gi, '').toLowerCase();
	const named = Object.keys(TOKEN_ERRORS).find((name) => text.includes(name.toLowerCase())) ?? '';
	const words = TOKEN_ERRORS[named];
	if (transfer === undefined || words === undefined || error.hashes.length > 0) return error;
	return error.with({
		message: words(transfer, checked.sender ?? 'The wallet of the credential'),
		hint: 'Nothing was sent. Check the token, the amount or Token ID, and the sending wallet',
	});
}

function callInWords({ call, contractFunction: { name, inputs } }: CheckedCall): string {
	return `${name}${inputs.length === 0 ? '()' : '(…)'} of ${shortAddress(call.address)}`;
}

function partsOf(checked: CheckedCall, where: Where): Omit<WriteInWords, 'last'> {
	const { move } = checked;
	const contractAddress = checked.call.address;
	if (move === undefined)
		return { words: callInWords(checked), first: {}, then: { contractAddress } };
	const transfer = transferOf(checked, move, where);
	if (move.isCertain) {
		const words = transferInWords(transfer);
		return { words, first: fieldsForPeople(transfer), then: fieldsForPrograms(transfer) };
	}
	const { to, recipient, recipientName, isApproval = false } = transfer;
	// The numbers have no units, because their meaning is uncertain.
	const words = `${callInWords(checked)} for ${userInWords(recipient, to, recipientName)}${numbersInWords(move, contractAddress)}`;
	const first = { [isApproval ? 'spender' : 'recipient']: recipient };
	return { words, first, then: defined({ to: isApproval ? undefined : to, contractAddress }) };
}

/** Describes a write without look-ups. @param where what the service has said of the wallet that pays */
export function describeWrite(checked: CheckedCall, where: Where = {}): WriteInWords {
	const { words, first, then } = partsOf(checked, where);
	const value = BigInt(checked.call.value ?? '0');
	const coin = value === 0n ? '' : `, with ${formatUnitsExact(value, UNIT_DECIMALS.ether)} ether`;
	const others = Object.entries(checked.resolvedAddresses).filter(
		([userId, wallet]) => first.recipient !== userId || then.to !== wallet,
	);
	const last = others.length === 0 ? {} : { resolvedAddresses: Object.fromEntries(others) };
	return { words: `${words}${coin}`, first, then, last };
}
