import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { momentOf, wallClockMs } from '../../values/clock';
import type { WriteResult } from '../../writes/result';

/** The time of a write in the time zone of the workflow: `26 November 2026, 10:12`. */
export function timeInWords(context: IExecuteSingleFunctions, time: string): string {
	const moment = momentOf(time);
	if (Number.isNaN(moment)) return '';
	const timeZone = context.getTimezone();
	const words = new Intl.DateTimeFormat('en-GB', {
		dateStyle: 'long',
		timeStyle: 'short',
		timeZone,
	});
	return ` on ${words.format(moment).replace(' at ', ', ')}`;
}

/** Whether a call pays: it moves tokens or native coin. */
export const isPayment = ({ move, call }: CheckedCall): boolean =>
	move?.isApproval === false || BigInt(call.value ?? '0') > 0n;

/**
 * The beginning of the summary of an order that was sent before.
 *
 * @example alreadyPaid(context, result, checked) // 'Already paid on 26 November 2026, 10:12, not sent again'
 */
export function alreadyPaid(
	context: IExecuteSingleFunctions,
	{ submittedAt }: WriteResult,
	checked: CheckedCall,
): string {
	const done = isPayment(checked) ? 'paid' : 'submitted';
	return `Already ${done}${timeInWords(context, submittedAt)}, not sent again`;
}

type Sent = Pick<WriteResult, 'submittedAt' | 'sentAtMs'>;

/** How long ago a write was sent: ` 2 minutes ago`; empty if it is not known. */
function agoInWords({ submittedAt, sentAtMs }: Sent): string {
	const minutes = Math.floor((wallClockMs() - (sentAtMs || momentOf(submittedAt))) / 60_000);
	if (Number.isNaN(minutes)) return '';
	if (minutes < 1) return ' just now';
	const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.floor(minutes / 60), 'hour'];
	return ` ${count} ${unit}${count === 1 ? '' : 's'} ago`;
}

/**
 * The beginning of the summary of a write that another execution has sent.
 *
 * @example notSentAgain(result, '231') // 'Not sent again, already sent 3 minutes ago by execution 231'
 */
export const notSentAgain = (sent: Sent, execution: string): string =>
	`Not sent again, already sent${agoInWords(sent)} by execution ${execution}`;

/**
 * The hint above items that another execution has sent.
 *
 * @param isList whether there are other items, which may have been sent now
 * @example sentBefore(result, '231', false) // 'Not sent again, already sent 3 minutes ago by execution 231. To send it …'
 */
export const sentBefore = (sent: Sent, execution: string, isList: boolean): string =>
	isList
		? `Not sent again: items with "replayed": true, already sent${agoInWords(sent)} by execution ${execution}. To send all items again, switch on Send Again (Options).`
		: `${notSentAgain(sent, execution)}. To send it again, switch on Send Again (Options).`;

/**
 * What a model reads of a call that equals an earlier one.
 *
 * @param words the write
 * @example alreadySent(result, checked, '5 SUSD to Bob') // 'Not sent again, already sent 2 minutes ago: 5 SUSD to Bob. For …'
 */
export function alreadySent(sent: Sent, checked: CheckedCall, words: string): string {
	const what = isPayment(checked) ? 'payment' : 'call';
	return `Not sent again, already sent${agoInWords(sent)}: ${words}. For a further equal ${what} give an Order ID that was not used yet`;
}
