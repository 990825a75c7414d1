import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { integerOf } from '../../contract/comparison';
import { decodeInTurns } from '../../contract/decode';
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
import { linkOf } from '../../values/urls';
import { withResolvedAddresses } from '../look-ups/look-ups';
import type { ReadOptions } from './call-options';

/**
 * Sends a read and returns its answer (interface, section 4.5).
 *
 * @throws ServiceError if it fails. A contract without the function gives no reason, so the hint asks for it.
 */
export async function readContract(
	client: ServiceClient,
	{ call, contractFunction: fn }: CheckedCall,
	fresh = true,
): Promise<unknown> {
	return await client
		.post(ROUTES.read.url, JSON.stringify(call), { fresh })
		.catch((error: unknown) => {
			if (!(error instanceof ServiceError) || error.details.code !== 'service-failed') throw error;
			const hint = `Does this contract have ${fn.key}? If so, check the arguments`;
			throw error.with({ hint });
		});
}

/** Reads the returned value as the service encodes it (interface, section 4.5). @throws ServiceError if there is none. */
export function responseOf(answer: unknown): unknown {
	if (isItem(answer) && 'response' in answer) return answer.response;
	throw unexpectedAnswer('a response', answer);
}

/**
 * Normalizes the returned value, so that equal values are identical.
 *
 * @throws ServiceError if it does not match the declared types.
 */
export async function comparableResponse(
	fn: ContractFunction,
	response: unknown,
): Promise<unknown> {
	const decoded = await decodeInTurns(fn, response, { isComparable: true });
	if (decoded.isDecoded) return decoded.value;
	throw new ServiceError({
		message: `The answer does not match the return types and cannot be compared: ${decoded.reason}`,
		hint: 'Check the return types, and that the contract at this address has this function',
		code: 'unreadable-answer',
	});
}

/** Converts an answer to whole tokens, if the decimals of the token are known. */
async function tokenAmountIn(
	response: unknown,
	{ contractFunction: fn }: CheckedCall,
	{ decimals, symbol }: Partial<TokenFacts> = {},
): Promise<IDataObject> {
	if (decimals === undefined) return {};
	const { isDecoded, value } = await decodeInTurns(fn, response);
	const baseUnits = isDecoded ? integerOf(fn, value) : undefined;
	return baseUnits === undefined
		? {}
		: defined({ amount: formatUnitsExact(baseUnits, decimals), symbol });
}

/**
 * Decodes the returned value with the return types (interface, section 4.5). An answer that does not match them is
 * returned unchanged, with a warning in the item and, for the first such item of a run, on the node.
 *
 * @param call `token` is the called token if the function returns an amount of it
 */
export async function simplifyRead(
	answer: unknown,
	call: {
		readonly checked: CheckedCall;
		readonly options: ReadOptions;
		readonly token?: TokenFacts;
	},
	{ item, run }: { readonly item: Item; readonly run: Run },
): Promise<IDataObject[]> {
	const { checked, options, token } = call;
	const response = responseOf(answer);
	const { status, explorerUrl }: IDataObject = isItem(answer) ? answer : {};
	const decoded = await decodeInTurns(checked.contractFunction, response, options);
	const value = decoded.value as IDataObject['value'];
	const said = defined({ status, explorerUrl: linkOf(explorerUrl) });
	const output: IDataObject = {
		value,
		...(await tokenAmountIn(response, checked, token)),
		...said,
	};
	if (!decoded.isDecoded) {
		output.warning = `The answer does not match the return types: ${decoded.reason}`;
		const message = `Item ${item.index + 1}: ${output.warning}. Check the return types of the function; such items contain a "warning" and the raw answer.`;
		run.warnOnce(item.context, message, 'does not match');
	}
	return [withResolvedAddresses(output, checked)];
}
