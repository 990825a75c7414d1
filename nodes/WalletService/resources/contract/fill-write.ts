import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { FillRequest, PreparedRequest, SendInTurn } from '../../request/prepare';
import { preparedFor } from '../../request/prepare';
import { parameterReader } from '../../request/read-parameter';
import { isItem, itemsOf } from '../../request/receive';
import type { PlannedWrite, WriteResult } from '../../writes/send-write';
import { earlierResult, previewWrite, sendWrite } from '../../writes/send-write';
import { readCallOptions } from './call-options';
import type { CheckedCall } from './contract-call';
import { completeCall, planCall } from './contract-call';
import { withResolvedAddresses } from './resolved-addresses';
import { simplifyWrite } from './simplify-write';
import { resolveUsers } from './user-addresses';

/** What an item says of a recorded answer: that it is one, and both calls when this try asks for another one. */
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

function submittedItems(
	context: IExecuteSingleFunctions,
	{ run, isSimple }: PreparedRequest,
	planned: PlannedWrite,
	result: WriteResult,
): IDataObject[] {
	const { answer } = result;
	if (isItem(answer)) {
		const link = typeof answer.explorerUrl === 'string' ? answer.explorerUrl : '';
		run.done.push(`Submitted before, item ${context.getItemIndex()}: ${answer.hash} ${link}`);
	}
	const items = isSimple ? itemsOf(answer, simplifyWrite) : itemsOf(answer, undefined);
	// Of an earlier try with other values, nobody knows here which addresses it had.
	const isAsPlanned =
		result.replayOf === undefined || result.replayOf.digest === result.call?.digest;
	const addresses = (item: IDataObject) =>
		isSimple && isAsPlanned && planned.status === 'fulfilled'
			? withResolvedAddresses(item, planned.value)
			: item;
	return items.map((item) => ({ ...addresses(item), ...replayFields(result) }));
}

/**
 * Plans a contract write from the item's parameters. It is completed here as well, because a write has a record, a
 * policy and rules for trying again of its own.
 */
export const fillWrite: FillRequest = async (context) => {
	const prepared = preparedFor(context);
	const read = parameterReader(context);
	const { isPreview } = readCallOptions(read);
	const plan = async (send: SendInTurn): Promise<CheckedCall> => {
		const call = planCall(read, 'write');
		const addresses = await resolveUsers(context, prepared.run, call.userIds, send);
		return completeCall(call, 'write', addresses);
	};
	prepared.complete = async (send) => {
		const [planned] = await Promise.allSettled([plan(send)]);
		// A try that only looks must not hide what an earlier one has sent.
		const result = isPreview
			? await earlierResult(context, planned, false)
			: await sendWrite(context, prepared.run, planned);
		const items =
			result === undefined
				? [await previewWrite(context, planned)]
				: submittedItems(context, prepared, planned, result);
		return items.map((json) => ({ json, pairedItem: { item: context.getItemIndex() } }));
	};
	return {};
};
