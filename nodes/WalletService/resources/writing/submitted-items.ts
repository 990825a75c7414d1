import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { isStatus, unexpectedAnswer } from '../../request/http/answer';
import { defined, isItem } from '../../values/objects';
import { linkOf } from '../../values/urls';
import type { WriteResult } from '../../writes/result';
import { answerItems } from '../plan-get';
import type { WriteInWords } from './describe-write';
import { describeWrite } from './describe-write';
import { alreadyPaid, alreadySent, notSentAgain } from './replays';
import type { Where } from './where';
import { whereInWords } from './where';

const OTHER_VALUES =
	'An earlier attempt for this item was sent with different values, so nothing was sent this time. Compare "sentCall" (sent) with "requestedCall" (this attempt).';
const VALUES_UNREADABLE =
	'An earlier attempt for this item was sent (see "sentCall"), so nothing was sent this time. The values of this attempt cannot be read or looked up.';

/** Start of the summary of a write that no endpoint of the network has taken yet. */
const NOT_YET_SENT = 'Recorded by the service, but not yet on the network';

/**
 * Describes the submitted transaction (interface, section 4.6): first the fields for people, then those for programs. The
 * summary does not claim success, because the result on the chain is still open.
 *
 * @param described absent if the answer belongs to an earlier attempt with different or unknown values, which cannot be
 * described
 * @param replay what is said of an order, or of a tool's call, that was sent before
 */
function simplifyWrite(
	result: WriteResult,
	described: WriteInWords | undefined,
	replay: string | undefined,
): IDataObject {
	const { answer, replayOf, call, submittedAt, userId, execution } = result;
	if (!isItem(answer) || typeof answer.hash !== 'string') {
		throw unexpectedAnswer('a transaction hash', answer);
	}
	const { hash, explorerUrl } = answer;
	const now = isStatus(answer.status, 'PENDING') ? NOT_YET_SENT : 'Submitted';
	const before = execution ? notSentAgain(result, execution) : 'Submitted by an earlier attempt';
	const start = replayOf === undefined ? now : before;
	const other = described === undefined && call !== undefined ? ', with different values' : '';
	const summary = replay ?? `${start}${other}: ${described?.words ?? 'see "sentCall"'}`;
	const link = linkOf(explorerUrl);
	const fields = { summary, ...described?.first, submitted: true, hash, explorerUrl: link };
	const at = submittedAt || undefined;
	return defined({ ...fields, ...described?.then, submittedAt: at, userId, ...described?.last });
}

function replayInWords(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
	result: WriteResult,
	words: string,
): string | undefined {
	if (planned.status === 'rejected') return undefined;
	if (result.orderId !== undefined)
		return `${alreadyPaid(context, result, planned.value)}: ${words}`;
	return result.isOfEqual ? alreadySent(result, planned.value, words) : undefined;
}

/** How the items of a write are shown. */
interface Shown {
	readonly isSimple: boolean;
	/** Whether the item was only tried: what was sent before then has the amounts of a preview, also if it is not simplified. */
	readonly isPreview: boolean;
	readonly warning: string | undefined;
	/** What the service has said of itself and of the token, if it was asked. */
	readonly known: Where | undefined;
}

/** A write in words, with the network and the user whose wallet pays, if the service names them. */
function describedAs(
	checked: CheckedCall,
	{ userId }: WriteResult,
	where: Where = {},
): WriteInWords {
	const { words, ...fields } = describeWrite(checked, where);
	const payer = { ...where, user: where.user ?? userId };
	return {
		...fields,
		words: `${words}${whereInWords(payer, checked.userNames)}`,
	};
}

/** Creates the items of a write. A recorded answer is marked, with both calls if this attempt requests a different one. */
export function submittedItems(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
	result: WriteResult,
	{ isSimple, isPreview, warning, known }: Shown,
): IDataObject[] {
	const { answer, replayOf, call, execution, earlierHashes = [] } = result;
	const other = replayOf?.digest === call?.digest ? undefined : replayOf;
	// The details of an earlier attempt with different values are not known here.
	const isKnown = other === undefined && planned.status === 'fulfilled';
	const described = isKnown ? describedAs(planned.value, result, known) : undefined;
	const replay = described && replayInWords(context, planned, result, described.words);
	const items = isSimple ? [simplifyWrite(result, described, replay)] : answerItems(answer);
	const ofOther = call === undefined ? VALUES_UNREADABLE : OTHER_VALUES;
	const fields = defined({
		...(isPreview && described?.first),
		replayed: replayOf && true,
		...((replayOf || isSimple) && { userId: known?.user ?? result.userId }),
		...(isPreview && !isSimple && { userName: known?.userName, network: known?.network }),
		execution,
		earlierHashes: earlierHashes.length === 0 ? undefined : [...earlierHashes],
		// The service's own JSON has no summary.
		warning: other ? ofOther : isSimple || !result.isOfEqual ? warning : replay,
		sentCall: other && { ...other.shown },
		requestedCall: other && call && { ...call.shown },
	});
	return items.map((item) => ({ ...item, ...fields }));
}
