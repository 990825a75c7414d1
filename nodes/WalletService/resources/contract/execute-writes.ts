import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeExecutionData,
} from 'n8n-workflow';

import { readAnswer } from '../../request/answer';
import { connectionFailure } from '../../request/connection-failure';
import { toErrorItem, toNodeError } from '../../request/node-error';
import { commonRequestOptions } from '../../request/prepare';
import { itemsOf } from '../../request/receive';
import { parseUnitAmount, UNIT_DECIMALS } from '../../values/units';
import { contractCall, type ContractCall } from './contract-call';
import { simplifyWrite } from './simplify-write';
import { WRITE_ROUTE } from './write';

function writeCall(context: IExecuteFunctions, itemIndex: number): ContractCall {
	const call = contractCall(
		(name, fallback) => context.getNodeParameter(name, itemIndex, fallback),
		'write',
	);
	const value = context.getNodeParameter('value', itemIndex, '');
	if (value === '' || value === undefined || value === null) return call;
	return { ...call, value: parseUnitAmount(value, UNIT_DECIMALS.wei, 'value').toString() };
}

async function submit(context: IExecuteFunctions, call: ContractCall): Promise<unknown> {
	const request: IHttpRequestOptions = {
		...commonRequestOptions,
		method: 'POST',
		url: WRITE_ROUTE,
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(call),
		returnFullResponse: true,
	};
	let response: IN8nHttpFullResponse;
	try {
		response = await context.helpers.httpRequestWithAuthentication.call(
			context,
			'walletServiceApi',
			request,
		);
	} catch (error) {
		throw connectionFailure(error);
	}
	return readAnswer(response, request.headers?.Authorization);
}

async function executeItem(
	context: IExecuteFunctions,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const answer = await submit(context, writeCall(context, itemIndex));
	const isSimple = context.getNodeParameter('simplify', itemIndex, true) === true;
	return itemsOf(answer, isSimple ? simplifyWrite : undefined, {}).map((json) => ({
		json,
		pairedItem: { item: itemIndex },
	}));
}

/**
 * Submits the writes of all items, one at a time and in item order. Unless the run goes on after errors, the first
 * failure ends it and nothing after it is sent.
 */
export async function executeWrites(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const output: INodeExecutionData[] = [];
	for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
		try {
			output.push(...(await executeItem(this, itemIndex)));
		} catch (error) {
			const place = { node: this.getNode(), itemIndex, endpoint: `POST ${WRITE_ROUTE}` };
			if (!this.continueOnFail()) throw toNodeError(error, place);
			output.push(toErrorItem(error, place));
		}
	}
	return [output];
}
