import type { IDataObject } from 'n8n-workflow';

import { simplifyWrite } from '../contract/simplify-write';
import type { Transfer } from './transfer';
import { inWords, recipientInWords, wholeTokens } from './transfer';

/** The fields of an item that say how much of what was asked for, each as far as the standard has it. */
function amountFields(transfer: Transfer): IDataObject {
	const { standard, symbol = null, tokenId } = transfer;
	return {
		...(standard === 'erc20' && { amount: wholeTokens(transfer) ?? null, symbol }),
		...(standard === 'erc721' && { symbol }),
		...(standard === 'erc1155' && { amount: String(transfer.amount) }),
		...(tokenId !== undefined && { tokenId: tokenId.toString() }),
	};
}

/**
 * The submitted transfer: what a person reads first, what a program needs after it.
 *
 * @param transfer absent when the answer is that of an earlier try which sent something else, or nobody knows what: then
 * no amount and no recipient is claimed
 */
export function simplifySend(answer: unknown, transfer: Transfer | undefined): IDataObject[] {
	return simplifyWrite(answer).map(({ hash, status, explorerUrl }) => {
		const submitted = { submitted: true, hash, explorerUrl };
		if (transfer === undefined) {
			const summary = 'Submitted by an earlier try, with other values: see "sentCall"';
			return { summary, ...submitted, status };
		}
		const { standard, recipient, to, token, amount, decimals = null } = transfer;
		return {
			// Nobody knows yet whether it arrives.
			summary: `Submitted: ${inWords(transfer)} to ${recipientInWords(transfer)}`,
			...amountFields(transfer),
			recipient,
			...submitted,
			to,
			tokenAddress: token,
			...(standard === 'erc20' && { baseUnits: String(amount), decimals }),
			status,
		};
	});
}

/** What would be sent, as a person reads it, with its parts. */
export function introduceSend(transfer: Transfer): IDataObject {
	const { sender = 'the wallet of the credential', recipient, to } = transfer;
	return {
		summary: `Would send ${inWords(transfer)} from ${sender} to ${recipientInWords(transfer)}`,
		...amountFields(transfer),
		recipient,
		submitted: false,
		to,
	};
}
