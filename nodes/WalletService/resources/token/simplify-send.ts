import type { IDataObject } from 'n8n-workflow';

import { fieldsForPeople } from '../contract/describe-write';
import type { Transfer } from './transfer';
import { inWords, recipientInWords } from './transfer';

/** What would be sent, as a person reads it, with its parts. */
export function introduceSend(transfer: Transfer): IDataObject {
	const { sender = 'the wallet of the credential', to } = transfer;
	return {
		summary: `Would send ${inWords(transfer)} from ${sender} to ${recipientInWords(transfer)}`,
		...fieldsForPeople(transfer),
		submitted: false,
		to,
	};
}
