import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import type { NodeRun } from '../../request/node-run';
import type { FillRequest } from '../../request/prepare';
import { preparedFor } from '../../request/prepare';
import { parameterReader } from '../../request/read-parameter';
import { isItem, itemsOf } from '../../request/receive';
import { readCallOptions } from './call-options';
import type { CheckedCall } from './contract-call';
import { completeCall, planCall } from './contract-call';
import { withResolvedAddresses } from './resolved-addresses';
import { previewWrite, sendWrite } from './send-write';
import { simplifyWrite } from './simplify-write';
import { resolveUsers } from './user-addresses';

async function submittedItems(
	context: IExecuteSingleFunctions,
	run: NodeRun,
	checked: CheckedCall,
	isSimple: boolean,
): Promise<IDataObject[]> {
	const { answer, isReplayed } = await sendWrite(context, run, checked);
	if (isItem(answer)) {
		run.done.push(
			`Submitted before, item ${context.getItemIndex()}: ${answer.hash} ${answer.explorerUrl ?? ''}`,
		);
	}
	const items = isSimple
		? itemsOf(answer, simplifyWrite).map((item) => withResolvedAddresses(item, checked))
		: itemsOf(answer, undefined);
	return isReplayed ? items.map((item) => ({ ...item, replayed: true })) : items;
}

/**
 * Plans a contract write from the item's parameters. It is completed here as well, because a write has a record, a
 * policy and rules for trying again of its own.
 */
export const fillWrite: FillRequest = async (context) => {
	const read = parameterReader(context);
	const { isPreview } = readCallOptions(read);
	const plan = planCall(read, 'write');
	const isSimple = read('simplify', true) === true;
	const prepared = preparedFor(context);
	const { run } = prepared;
	prepared.complete = async (send) => {
		const checked = completeCall(
			plan,
			'write',
			await resolveUsers(context, run, plan.userIds, send),
		);
		const items = isPreview
			? [await previewWrite(context, checked)]
			: await submittedItems(context, run, checked, isSimple);
		return items.map((json) => ({ json, pairedItem: { item: context.getItemIndex() } }));
	};
	return {};
};
