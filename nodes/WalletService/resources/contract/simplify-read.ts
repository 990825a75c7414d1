import type { IDataObject } from 'n8n-workflow';

import { decodeAnswer } from '../../contract/decode';
import { wrongShape } from '../../request/answer';
import { warnOnce } from '../../request/hint';
import { preparedFor } from '../../request/prepare';
import { isItem, type SimplifyAnswer } from '../../request/receive';
import { readCallOf } from './fill-call';
import { withResolvedAddresses } from './resolved-addresses';

/**
 * The value that the function returned, by its return types (interface, section 4.5). An answer that does not fit them
 * comes as it is, with a warning in the item and, for the first such item of a run, on the node.
 */
export const simplifyRead: SimplifyAnswer = (answer, _values, context) => {
	if (!isItem(answer) || !('response' in answer)) throw wrongShape('a response', answer);
	const { status, explorerUrl, response } = answer;
	const { checked, options } = readCallOf(context);
	const decoded = decodeAnswer(checked.contractFunction, response, options);
	const rest: IDataObject = { status, explorerUrl };
	if (!decoded.fits) {
		rest.warning = `The answer does not fit the return types: ${decoded.reason}`;
		const message = `Item ${context.getItemIndex()}: ${rest.warning}. It is passed on as it came; items like it have a "warning". Check the return types of the function.`;
		warnOnce(context, preparedFor(context).run, message);
	}
	const item: IDataObject = Object.assign({ value: decoded.value }, rest);
	return [withResolvedAddresses(item, checked)];
};
