import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Plan } from '../../request/run/plan';
import type { Run } from '../../request/run/run';
import { isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import type { PlannedWrite, WriteResult } from '../../writes/earlier-try';
import { earlierResult } from '../../writes/earlier-try';
import { assertMayPreview, sendWrite } from '../../writes/send-write';
import { answerItems, readSimplify } from '../answer-items';
import { readCallOptions } from './call-options';
import { completeCall, planCall } from './contract-call';
import { previewOf } from './preview';
import { withResolvedAddresses } from './resolved-addresses';
import { simplifyWrite } from './simplify-write';
import { resolveUsers } from './user-addresses';

/** The fields of an item for a recorded answer: that it is one, and both calls if this try asks for another one. */
function replayFields({ replayOf, call, earlierHashes = [] }: WriteResult): IDataObject {
	if (replayOf === undefined) {
		return earlierHashes.length === 0 ? {} : { earlierHashes: [...earlierHashes] };
	}
	if (replayOf.digest === call?.digest) return { replayed: true };
	return {
		replayed: true,
		warning:
			'An earlier try of this item was sent with other values. Nothing was sent now: "sentCall" is what was sent, "requestedCall" what this try asks for (absent when that cannot be read).',
		sentCall: { ...replayOf.shown },
		...(call !== undefined && { requestedCall: { ...call.shown } }),
	};
}

/** Records a completed write in the run, whose failure must not hide it. */
function noteSubmitted({ index }: Item, run: Run, { answer }: WriteResult): void {
	if (!isItem(answer)) return;
	const link = typeof answer.explorerUrl === 'string' ? answer.explorerUrl : '';
	run.submitted.push(`Submitted before, item ${index}: ${answer.hash} ${link}`);
}

function submittedItems(
	planned: PlannedWrite,
	result: WriteResult,
	isSimple: boolean,
): IDataObject[] {
	// The addresses that an earlier try with other values used are not known here.
	const isAsPlanned =
		result.replayOf === undefined || result.replayOf.digest === result.call?.digest;
	const addresses = (item: IDataObject) =>
		isSimple && isAsPlanned && planned.status === 'fulfilled'
			? withResolvedAddresses(item, planned.value)
			: item;
	const items = answerItems(result.answer, isSimple ? simplifyWrite : undefined);
	return items.map((item) => ({ ...addresses(item), ...replayFields(result) }));
}

/** Returns the preview of a write instead of sending it. */
async function previewWrite({ context }: Item, planned: PlannedWrite): Promise<IDataObject> {
	if (planned.status === 'rejected') throw planned.reason;
	const credential = await assertMayPreview(context, planned.value);
	return previewOf(planned.value, ROUTES.write.url, credential);
}

async function completeWrite(item: Item, run: Run, client: ServiceClient): Promise<CheckedCall> {
	const call = planCall(item.read, 'write');
	return completeCall(call, 'write', await resolveUsers(item, run, call.userIds, client));
}

/** The plan of a contract write. A call that cannot be read must not hide what an earlier try has sent. */
export const planWrite: Plan = async (item, run) => {
	const isSimple = readSimplify(item.read);
	const { isPreview } = readCallOptions(item.read);
	return {
		url: ROUTES.write.url,
		send: async (client) => {
			const planned = await settle(completeWrite(item, run, client));
			const result = isPreview
				? await earlierResult(item.context, planned, false)
				: await sendWrite(item.context, run, client, planned);
			if (result === undefined) return [await previewWrite(item, planned)];
			noteSubmitted(item, run, result);
			return submittedItems(planned, result, isSimple);
		},
	};
};
