import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { ServiceError } from '../../request/failure/service-error';
import { asClause, wordsIn } from '../../request/failure/service-text';
import { fillRoute, ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { describeService } from '../../request/http/service-description';
import { isTool } from '../../request/run/tool-call';
import { isHash } from '../../values/hashes';
import { isItem } from '../../values/objects';
import { inOneLine, quote } from '../../values/quote';
import type { WriteResult } from '../../writes/result';
import { assertSameWrite } from './order-id';
import { isPayment, timeInWords } from './replays';

/** The end of a transaction that changed nothing. */
interface End {
	/** Such as `failed (out of gas)`. */
	readonly words: string;
	/** Whether no reorganisation of the chain changes it any more. */
	readonly isFinal: boolean;
}

function failedInWords(revertReason: unknown): string {
	const reason = typeof revertReason === 'string' ? asClause(wordsIn(revertReason)) : '';
	// As wallets and explorers word it.
	const why = /\bran out of gas\b/i.test(reason) ? 'out of gas' : reason;
	return `failed${why && ` (${why})`}`;
}

/** Reads the end in what a service reports about a transaction; `undefined` if it succeeded, may still do so, or is unclear. */
function endIn(answer: unknown, asked: string): End | undefined {
	const { hash, status, final, confirmations, revertReason } = isItem(answer) ? answer : {};
	if (!isHash(hash) || hash.toLowerCase() !== asked || typeof final !== 'boolean') return undefined;
	// What is final is below another block.
	const isFinal = final && (confirmations !== 0 || status === 'FOREIGN');
	if (status === 'REVERTED') return { words: failedInWords(revertReason), isFinal };
	if (status === 'CANCELLED') return { words: 'was cancelled', isFinal };
	return status === 'FOREIGN'
		? { words: 'was replaced by another transaction', isFinal }
		: undefined;
}

/** Asks how a transaction ended, once per run. @param hash lower case */
async function endOf(hash: string, client: ServiceClient): Promise<End | undefined> {
	const asking = async () => {
		const { reportsTransactions } = await describeService(client);
		if (!reportsTransactions) return undefined;
		const url = fillRoute(ROUTES.transaction.url, { hash });
		return endIn(await client.get(url, { fresh: true }), hash);
	};
	// Without this answer, the record is reported as it is.
	return await client.once(['end', hash], asking).catch(() => undefined);
}

/**
 * Refuses to report a recorded write as sent before if it is another one, or its transaction has ended without effect.
 *
 * @throws ServiceError that names both writes, or the end
 * @example await assertDone(context, client, result, planned) // nothing, if it is new, succeeded, or its state is not known
 */
export async function assertDone(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	result: WriteResult,
	planned: PromiseSettledResult<CheckedCall>,
): Promise<void> {
	const asked = planned.status === 'fulfilled' ? planned.value : undefined;
	if (asked) assertSameWrite(context, result, asked);
	const { replayOf, answer, orderId, submittedAt } = result;
	const { hash } = Object(answer);
	if (replayOf === undefined || !isHash(hash)) return;
	const end = await endOf(hash.toLowerCase(), client);
	if (end === undefined) return;
	const { words, isFinal } = end;
	const isPaid = asked === undefined || isPayment(asked);
	const [nothing, verb] = isPaid ? ['nothing was paid', 'Pay it'] : ['nothing changed', 'Send it'];
	const way =
		orderId !== undefined
			? 'under a new number'
			: isTool(context)
				? 'with an Order ID that was not used yet'
				: 'again with Send Again (Options)';
	const wait = ', once this is final (Transaction: Get): until then it may still be carried out';
	const which = orderId === undefined ? 'This item' : `Order ${quote(orderId)}`;
	const when = timeInWords(context, submittedAt);
	throw new ServiceError({
		message: inOneLine(
			`${which} was submitted${when} and ${words}: ${nothing} (transaction ${hash})`,
		),
		hint: `${verb} ${way}${isFinal ? '' : wait}`,
		code: 'order-failed',
		state: isFinal ? 'refused' : 'unknown',
		hashes: [hash],
	});
}
