import type { IDataObject } from 'n8n-workflow';

import { fieldsForPeople } from '../writing/describe-write';
import type { Transfer } from '../writing/transfer';
import { inWords, recipientInWords, wholeTokens } from '../writing/transfer';

/**
 * What would be sent, as a person reads it, with its parts.
 *
 * @param together with the amount of all transfers so far, where that can be said
 */
export function introduceSend(transfer: Transfer, together: Transfer | undefined): IDataObject {
	const { sender = 'the wallet of the credential', to } = transfer;
	return {
		summary: `Would send ${inWords(transfer)} from ${sender} to ${recipientInWords(transfer)}`,
		...fieldsForPeople(transfer),
		...(together !== undefined && { totalSoFar: wholeTokens(together) }),
		submitted: false,
		to,
	};
}
