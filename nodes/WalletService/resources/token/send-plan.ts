import type { ReadParameter } from '../../request/run/read-parameter';
import { parseSwitch } from '../../values/switch';
import { readCallOptions } from '../contract/call-options';
import { planSubmission } from '../contract/write-plan';
import { assertEnough } from './enough';
import { readTransfer } from './read-transfer';
import { introduceSend, simplifySend } from './simplify-send';

/** Whether an item is only tried; the option of contract calls counts as well, wherever it may come from. */
function isPreview(read: ReadParameter): boolean {
	const isTried = parseSwitch(read('preview', false), 'preview');
	return readCallOptions(read).isPreview || isTried;
}

/** The plan of a transfer: a contract write like any other, of which the form asks in words. */
export const planSend = planSubmission({
	isPreview,
	complete: readTransfer,
	assertPossible: async ({ transfer }, client) => await assertEnough(transfer, client),
	introduce: ({ transfer }) => introduceSend(transfer),
	simplify: (answer, call) => simplifySend(answer, call?.transfer),
});
