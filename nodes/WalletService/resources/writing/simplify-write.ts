import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../../request/http/answer';
import { isItem } from '../../values/objects';
import type { WriteResult } from '../../writes/earlier-try';
import type { WriteInWords } from './describe-write';

/** The beginning of a sentence that claims no more than is known: nobody can say yet whether it succeeds on the chain. */
const SUBMITTED = 'Submitted';
const SUBMITTED_BEFORE = 'Submitted by an earlier try';

/**
 * The submitted transaction (interface, section 4.6): first what a person reads, then what a program needs.
 *
 * @param said absent when the answer is that of an earlier try which sent something else, or nobody knows what: then nothing
 * is claimed of it
 */
export function simplifyWrite(
	{ answer, replayOf, call, submittedAt, userId }: WriteResult,
	said: WriteInWords | undefined,
): IDataObject[] {
	if (!isItem(answer) || typeof answer.hash !== 'string') {
		throw unexpectedAnswer('a transaction hash', answer);
	}
	const { hash, explorerUrl } = answer;
	const start = replayOf === undefined ? SUBMITTED : SUBMITTED_BEFORE;
	const isOther = said === undefined && call !== undefined;
	const what = said?.words ?? 'see "sentCall"';
	const summary = `${start}${isOther ? ', with other values' : ''}: ${what}`;
	return [
		{
			...{ summary, ...said?.first, submitted: true, hash },
			...(typeof explorerUrl === 'string' && { explorerUrl }),
			...{ ...said?.then, submittedAt },
			...(userId !== undefined && { userId }),
			...said?.last,
		},
	];
}
