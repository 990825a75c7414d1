import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { CallFailure } from '../../request/call-failure';
import { toErrorItem, toNodeError } from '../../request/node-error';
import { readRequestSettings } from '../../request/options';
import { isItem, itemsOf } from '../../request/receive';
import { parseUnitAmount, UNIT_DECIMALS } from '../../values/units';
import type { CheckedCall } from './contract-call';
import { checkedCall } from './contract-call';
import { simplifyWrite } from './simplify-write';
import { WRITE_ROUTE } from './write-route';
import { WriteRun } from './write-run';

/** A run that sends writes, and what it has submitted so far. */
interface Submissions {
	readonly run: WriteRun;
	readonly done: string[];
}

function readWrite(context: IExecuteFunctions, itemIndex: number): CheckedCall {
	const checked = checkedCall(
		(name, fallback) => context.getNodeParameter(name, itemIndex, fallback),
		'write',
	);
	const value = context.getNodeParameter('value', itemIndex, '');
	if (value === '' || value === undefined || value === null) return checked;
	const wei = parseUnitAmount(value, UNIT_DECIMALS.wei, 'value');
	return { ...checked, call: { ...checked.call, value: wei.toString() } };
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
): Promise<INodeExecutionData[]> {
	assertNotCancelled(context);
	const { answer, isReplayed } = await run.send(itemIndex, readWrite(context, itemIndex));
	if (isItem(answer)) {
		done.push(`Submitted before, item ${itemIndex}: ${answer.hash} ${answer.explorerUrl ?? ''}`);
	}
	const isSimple = context.getNodeParameter('simplify', itemIndex, true) === true;
	return itemsOf(answer, isSimple ? simplifyWrite : undefined, {}).map((json) => ({
		json: isReplayed ? { ...json, replayed: true } : json,
		pairedItem: { item: itemIndex },
	}));
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
			output.push(...(await executeItem(this, itemIndex, submissions)));
		} catch (error) {
			const place = { node: this.getNode(), itemIndex, endpoint: `POST ${WRITE_ROUTE}`, done };
			if (!this.continueOnFail()) throw toNodeError(error, place);
			output.push(toErrorItem(error, place));
		}
	}
	return [output];
}
