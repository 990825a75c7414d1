import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { decodeAnswer } from '../../contract/decode';
import type { Item } from '../../request/run/item';
import type { Run } from '../../request/run/run';
import { isItem } from '../../values/objects';
import type { ReadOptions } from './call-options';
import { withResolvedAddresses } from '../look-ups/resolved-addresses';
import { responseOf } from './response';

/** The fields of an item, in their order. */
export const READ_FIELDS: readonly string[] = [
	...['met', 'value', 'status', 'explorerUrl', 'resolvedAddresses'],
	// With Wait Until.
	...['checkedFor', 'checkedAt'],
];

/** The call behind an answer. */
export interface ReadCall {
	readonly item: Item;
	readonly run: Run;
	readonly checked: CheckedCall;
	readonly options: ReadOptions;
}

/**
 * The value that the function returned, by its return types (interface, section 4.5). An answer that does not match them
 * is returned unchanged, with a warning in the item and, for the first such item of a run, on the node.
 */
export function simplifyRead(
	answer: unknown,
	{ item, run, checked, options }: ReadCall,
): IDataObject[] {
	const response = responseOf(answer);
	const { status, explorerUrl }: IDataObject = isItem(answer) ? answer : {};
	const decoded = decodeAnswer(checked.contractFunction, response, options);
	const rest: IDataObject = { status, explorerUrl };
	if (!decoded.fits) {
		rest.warning = `The answer does not fit the return types: ${decoded.reason}`;
		const message = `Item ${item.index}: ${rest.warning}. It is passed on as it came; items like it have a "warning". Check the return types of the function.`;
		run.warnOnce(item.context, message);
	}
	const output: IDataObject = Object.assign({ value: decoded.value }, rest);
	return [withResolvedAddresses(output, checked)];
}
