import { planSubmission } from '../contract/write-plan';
import { assertEnough } from './enough';
import { readTransfer } from './read-transfer';
import { introduceSend } from './simplify-send';

/** The plan of a transfer: a contract write like any other, of which the form asks in words. */
export const planSend = planSubmission({
	complete: readTransfer,
	assertPossible: async ({ transfer }, client) => await assertEnough(transfer, client),
	introduce: ({ transfer }) => introduceSend(transfer),
});
