import { wrongShape } from '../../request/answer';
import { isItem, type SimplifyAnswer } from '../../request/receive';

/** The submitted transaction (interface, section 4.6). */
export const simplifyWrite: SimplifyAnswer = (answer) => {
	if (!isItem(answer) || typeof answer.hash !== 'string') {
		throw wrongShape('a transaction hash', answer);
	}
	const { hash, status, explorerUrl, tx } = answer;
	return [{ hash, status, explorerUrl, tx }];
};
