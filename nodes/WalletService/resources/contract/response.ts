import type { CheckedCall } from '../../contract/call';
import { comparableAnswer } from '../../contract/comparison';
import type { ContractFunction } from '../../contract/function';
import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import { isItem } from '../../values/objects';

/** The answer to a call that only reads (interface, section 4.5). @throws ServiceError when it is not a success. */
export async function readContract(client: ServiceClient, { call }: CheckedCall): Promise<unknown> {
	return await client.post(ROUTES.read.url, JSON.stringify(call), { fresh: true });
}

/** What the function returned, as the service writes it (interface, section 4.5). @throws ServiceError when there is nothing. */
export function responseOf(answer: unknown): unknown {
	if (isItem(answer) && 'response' in answer) return answer.response;
	throw unexpectedAnswer('a response', answer);
}

/**
 * What the function returned, in a form in which equal values are equal.
 *
 * @throws ServiceError when it is not of the declared types: nobody could say then whether it has changed.
 */
export function comparableResponse(fn: ContractFunction, response: unknown): unknown {
	const decoded = comparableAnswer(fn, response);
	if (decoded.fits) return decoded.value;
	throw new ServiceError({
		message: `The answer cannot be compared, because it does not fit the return types: ${decoded.reason}`,
		hint: 'Check the return types of the function, and that the address belongs to a contract that has it',
		code: 'unreadable-answer',
	});
}
