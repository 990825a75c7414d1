import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CallFailure } from '../../request/call-failure';
import { toErrorItem, toNodeError } from '../../request/node-error';
import { readRequestSettings } from '../../request/options';
import { isItem, itemsOf } from '../../request/receive';
import { parameterReader } from '../../request/read-parameter';
import { readCallOptions } from './call-options';
import { completeCall, planCall } from './contract-call';
import { withResolvedAddresses } from './resolved-addresses';
import { simplifyWrite } from './simplify-write';
import { WRITE_ROUTE } from './write-route';
import { WriteRun } from './write-run';

/** A run that sends writes, and what it has submitted so far. */
interface Submissions {
	readonly run: WriteRun;
	readonly done: string[];
}

function assertNotCancelled(context: IExecuteFunctions): void {
	if (context.getExecutionCancelSignal()?.aborted !== true) return;
	throw new CallFailure({
		message: 'Not sent, because the execution was cancelled',
		hint: 'Nothing happened for this item',
		outcome: 'not sent',
	});
}

async function executeItem(
	context: IExecuteFunctions,
	itemIndex: number,
	{ run, done }: Submissions,
): Promise<IDataObject[]> {
	assertNotCancelled(context);
	const read = parameterReader((name, fallback, how) =>
		context.getNodeParameter(name, itemIndex, fallback, how),
	);
	const { isPreview } = readCallOptions(read);
	const plan = planCall(read, 'write');
	const checked = completeCall(plan, 'write', await run.addressesOf(plan.userIds));
	if (isPreview) return [await run.preview(itemIndex, checked)];
	const { answer, isReplayed } = await run.send(itemIndex, checked);
	if (isItem(answer)) {
		done.push(`Submitted before, item ${itemIndex}: ${answer.hash} ${answer.explorerUrl ?? ''}`);
	}
	const isSimple = read('simplify', true) === true;
	const items = isSimple
		? itemsOf(answer, simplifyWrite).map((item) => withResolvedAddresses(item, checked))
		: itemsOf(answer, undefined);
	return isReplayed ? items.map((item) => ({ ...item, replayed: true })) : items;
}

/**
 * Submits the writes of all items, one at a time and in item order. Unless the run goes on after errors, the first
 * failure ends it: nothing after it is sent, and the error lists what was submitted before it.
 */
export async function executeWrites(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	const done: string[] = [];
	let submissions: Submissions | undefined;
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		try {
			submissions ??= {
				run: new WriteRun(this, readRequestSettings(this.getNodeParameter('options', 0, {}))),
				done,
			};
			const items = await executeItem(this, itemIndex, submissions);
			output.push(...items.map((json) => ({ json, pairedItem: { item: itemIndex } })));
		} catch (error) {
			const place = { node: this.getNode(), itemIndex, endpoint: `POST ${WRITE_ROUTE}`, done };
			if (!this.continueOnFail()) throw toNodeError(error, place);
			output.push(toErrorItem(error, place));
		}
	}
	return [output];
}
