import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { comparableAnswer, integerOf } from '../../contract/comparison';
import { decodeAnswer } from '../../contract/decode';
import type { ContractFunction } from '../../contract/function';
import type { TokenFacts } from '../../contract/token-amount';
import { ServiceError } from '../../request/failure/service-error';
import { unexpectedAnswer } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Run } from '../../request/run/run';
import { formatUnitsExact } from '../../values/decimal';
import { defined, isItem } from '../../values/objects';
import { withResolvedAddresses } from '../look-ups/look-ups';
import type { ReadOptions } from './call-options';

/** The answer to a call that only reads (interface, section 4.5). @throws ServiceError when it is not a success. */
export async function readContract(client: ServiceClient, { call }: CheckedCall): Promise<unknown> {
	return await client.post(ROUTES.read.url, JSON.stringify(call), { fresh: true });
}

/** What the function returned, as the service writes it (interface, section 4.5). @throws ServiceError when there is nothing. */
export function responseOf(answer: unknown): unknown {
	if (isItem(answer) && 'response' in answer) return answer.response;
	throw unexpectedAnswer('a response', answer);
}

/** What the function returned, equal for equal values. @throws ServiceError when it is not of the declared types. */
export function comparableResponse(fn: ContractFunction, response: unknown): unknown {
	const decoded = comparableAnswer(fn, response);
	if (decoded.fits) return decoded.value;
	throw new ServiceError({
		message: `The answer cannot be compared, because it does not fit the return types: ${decoded.reason}`,
		hint: 'Check the return types of the function, and that the address belongs to a contract that has it',
		code: 'unreadable-answer',
	});
}

/** An answer in whole tokens, as far as the token says what these are. */
function amountIn(
	response: unknown,
	{ contractFunction: fn }: CheckedCall,
	{ decimals, symbol }: Partial<TokenFacts> = {},
): IDataObject {
	if (decimals === undefined) return {};
	const { fits, value } = comparableAnswer(fn, response);
	const baseUnits = fits ? integerOf(fn, value) : undefined;
	return baseUnits === undefined
		? {}
		: defined({ amount: formatUnitsExact(baseUnits, decimals), symbol });
}

/**
 * The value that the function returned, by its return types (interface, section 4.5). An answer that does not match them
 * is returned unchanged, with a warning in the item and, for the first such item of a run, on the node.
 *
 * @param call `token` is the called one, when the function returns an amount of it
 */
export function simplifyRead(
	answer: unknown,
	call: {
		readonly checked: CheckedCall;
		readonly options: ReadOptions;
		readonly token?: TokenFacts;
	},
	{ item, run }: { readonly item: Item; readonly run: Run },
): IDataObject[] {
	const { checked, options, token } = call;
	const response = responseOf(answer);
	const { status, explorerUrl }: IDataObject = isItem(answer) ? answer : {};
	const decoded = decodeAnswer(checked.contractFunction, response, options);
	const value = decoded.value as IDataObject['value'];
	const output: IDataObject = { value, ...amountIn(response, checked, token), status, explorerUrl };
	if (!decoded.fits) {
		output.warning = `The answer does not fit the return types: ${decoded.reason}`;
		const message = `Item ${item.index}: ${output.warning}. It is passed on as it came; items like it have a "warning". Check the return types of the function.`;
		run.warnOnce(item.context, message, 'does not fit');
	}
	return [withResolvedAddresses(output, checked)];
}
