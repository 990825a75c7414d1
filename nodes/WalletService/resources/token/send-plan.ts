import { planSubmission } from '../contract/write-plan';
import { assertEnough } from './enough';
import { readTransfer } from './read-transfer';
import { withRunningTotal } from '../writing/running-total';
import { introduceSend } from './simplify-send';
import type { Transfer } from '../writing/transfer';

/** The plan of a transfer: a contract write like any other, of which the form asks in words. */
export const planSend = planSubmission({
	complete: readTransfer,
	assertPossible: async ({ transfer }, client) => await assertEnough(transfer, client),
	introduce: async ({ transfer, preparedFor: service = '' }, run, client) => {
		// All that is shown has to be there, not each amount alone.
		const check = async (together: Transfer) => await assertEnough(together, client);
		return introduceSend(transfer, await withRunningTotal(run, { transfer, service }, check));
	},
});
