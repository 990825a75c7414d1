import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { shortAddress } from '../../values/address';
import { defined } from '../../values/objects';
import { formatUnitsExact, UNIT_DECIMALS } from '../../values/units';
import { inWords, recipientInWords, tokenInWords, userInWords, wholeTokens } from './transfer';
import type { KnownTransfer } from './known-transfer';
import { knownTransfer } from './known-transfer';

/** What a write does, as a person reads it, and in parts. */
export interface WriteInWords {
	/** Continues a sentence. */
	readonly words: string;
	/** Fields for people. */
	readonly first: IDataObject;
	/** Fields for programs. */
	readonly then: IDataObject;
	/** What is rarely needed. */
	readonly last: IDataObject;
}

/** The fields of a submitted write, in their order, as far as it has them. */
export const WRITE_FIELDS: readonly string[] = [
	...['summary', 'amount', 'symbol', 'tokenId', 'recipient', 'spender', 'submitted', 'hash'],
	...['explorerUrl', 'to', 'from', 'tokenAddress', 'baseUnits', 'contractAddress'],
	...['submittedAt', 'userId', 'resolvedAddresses'],
];

/** Those of a token that is sent. */
export const SEND_FIELDS: readonly string[] = WRITE_FIELDS.filter(
	(field) => field !== 'spender' && field !== 'contractAddress',
);

const UNLIMITED = 2n ** 256n - 1n;

function senderInWords({ from, fromUser }: KnownTransfer): string {
	if (from === undefined) return '';
	return ` from ${fromUser === undefined ? shortAddress(from) : userInWords(fromUser, from)}`;
}

function transferInWords(transfer: KnownTransfer): string {
	const { isApproval, amount } = transfer;
	const who = recipientInWords(transfer);
	if (isApproval === true) {
		const what =
			amount === UNLIMITED ? `any amount of ${tokenInWords(transfer)}` : inWords(transfer);
		return `permission for ${who} to take ${what}`;
	}
	return `${inWords(transfer)}${senderInWords(transfer)} to ${who}`;
}

/** How much of what, as far as it is known. */
function amountFields(transfer: KnownTransfer): IDataObject {
	const { standard, symbol, tokenId } = transfer;
	const amount = standard === 'erc1155' ? String(transfer.amount) : wholeTokens(transfer);
	return defined({ amount, symbol, tokenId: tokenId?.toString() });
}

/** The fields of a transfer that people read: how much of what, to whom. */
export function fieldsForPeople(transfer: KnownTransfer): IDataObject {
	const { recipient, isApproval } = transfer;
	return { ...amountFields(transfer), [isApproval === true ? 'spender' : 'recipient']: recipient };
}

function describeTransfer(transfer: KnownTransfer): Omit<WriteInWords, 'last'> {
	const { standard, token, to, from, amount, isApproval } = transfer;
	return {
		words: transferInWords(transfer),
		first: fieldsForPeople(transfer),
		then: defined({
			to: isApproval === true ? undefined : to,
			from,
			tokenAddress: token,
			baseUnits: standard === 'erc20' ? String(amount) : undefined,
		}),
	};
}

function describeCall({ call, contractFunction }: CheckedCall): Omit<WriteInWords, 'last'> {
	const { name, inputs } = contractFunction;
	return {
		words: `${name}${inputs.length === 0 ? '()' : '(…)'} of ${shortAddress(call.address)}`,
		first: {},
		then: { contractAddress: call.address },
	};
}

/** The users that were looked up for a call, without those who are told of elsewhere. */
function otherUsers({ resolvedAddresses }: CheckedCall, told: IDataObject): IDataObject {
	const others = Object.entries(resolvedAddresses).filter(
		([userId, wallet]) => told.recipient !== userId || told.to !== wallet,
	);
	return others.length === 0 ? {} : { resolvedAddresses: Object.fromEntries(others) };
}

/** A write in words, from what is known of it without asking anybody. */
export function describeWrite(checked: CheckedCall): WriteInWords {
	const transfer = knownTransfer(checked);
	const described = transfer === undefined ? describeCall(checked) : describeTransfer(transfer);
	const { first, then } = described;
	const value = BigInt(checked.call.value ?? 0);
	const coin = value === 0n ? '' : `, with ${formatUnitsExact(value, UNIT_DECIMALS.ether)} ether`;
	return {
		...{ first, then, words: `${described.words}${coin}` },
		last: otherUsers(checked, { ...first, ...then }),
	};
}
