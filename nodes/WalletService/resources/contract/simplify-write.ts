import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../../request/http/answer';
import { isItem } from '../../values/objects';

/** The submitted transaction (interface, section 4.6). */
export function simplifyWrite(answer: unknown): IDataObject[] {
	if (!isItem(answer) || typeof answer.hash !== 'string') {
		throw unexpectedAnswer('a transaction hash', answer);
	}
	const { hash, status, explorerUrl, tx } = answer;
	return [{ hash, status, explorerUrl, tx }];
}
