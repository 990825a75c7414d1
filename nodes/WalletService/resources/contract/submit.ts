import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { wrongShape } from '../../request/answer';
import { CallFailure } from '../../request/call-failure';
import { executionSignal } from '../../request/deadline';
import { exchange } from '../../request/exchange';
import type { RequestSettings } from '../../request/options';
import { isItem } from '../../request/receive';
import { withRetry } from '../../request/retry';
import type { ContractCall } from './contract-call';
import { WRITE_ROUTE } from './write-route';

const CHECK_FIRST =
	'The transaction MAY have been sent: check the history of the wallet before you send it again.';

async function post(
	context: IExecuteSingleFunctions,
	call: ContractCall,
	settings: RequestSettings,
): Promise<unknown> {
	const request = { method: 'POST', url: WRITE_ROUTE, body: JSON.stringify(call) } as const;
	const answer = await exchange(context, request, settings);
	if (!isItem(answer) || typeof answer.hash !== 'string') {
		throw wrongShape('a transaction hash', answer);
	}
	return answer;
}

/**
 * Submits one transaction. It is only tried again when the service certainly never saw it.
 *
 * @returns the service's answer, which has a transaction hash
 * @throws CallFailure that says whether the transaction may have been sent.
 */
export async function submit(
	context: IExecuteSingleFunctions,
	settings: RequestSettings,
	call: ContractCall,
): Promise<unknown> {
	const cancel = executionSignal(context);
	const rules = {
		settings,
		cancel,
		mayRetry: ({ details }: CallFailure) =>
			details.outcome === 'not sent' && details.isPassing === true,
	};
	const [result] = await Promise.allSettled([
		withRetry(rules, async () => await post(context, call, settings)),
	]);
	if (result.status === 'fulfilled') return result.value;
	const error: unknown = result.reason;
	if (!(error instanceof CallFailure) || error.details.outcome !== 'unknown') throw error;
	throw error.with({ hint: `${CHECK_FIRST} ${error.details.hint}` });
}
