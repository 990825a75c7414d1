import type { IDataObject } from 'n8n-workflow';

import { wrongShape } from '../../request/answer';
import { isItem, type SimplifyAnswer } from '../../request/receive';
import { bigNumbersToDecimal } from '../../values/integers';

/** The value that the function returned, with every BigNumber as a decimal string (interface, section 4.5). */
export const simplifyRead: SimplifyAnswer = (answer) => {
	if (!isItem(answer) || !('response' in answer)) throw wrongShape('a response', answer);
	const { status, explorerUrl, response } = answer;
	const item: IDataObject = { status, explorerUrl };
	return [Object.assign({ value: bigNumbersToDecimal(response) }, item) as IDataObject];
};
