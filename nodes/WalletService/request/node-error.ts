import type { INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { InvalidInput } from '../values/invalid-input';
import { CallFailure } from './call-failure';

/** Where in a run something failed. */
export interface FailurePlace {
	readonly node: INode;
	/** Index of the input item, from 0; a trigger has none. */
	readonly itemIndex?: number;
	/** Method and path of the request, for example `GET /v1/users/DISCORD-1`; absent when none was made. */
	readonly endpoint?: string;
	/** What this run has already done, a line each: it must not get lost with the failure. */
	readonly done?: readonly string[];
}

/** Where a failed item of a run stands. */
export interface ItemPlace extends FailurePlace {
	readonly itemIndex: number;
}

/** Parameter names as the editor shows them. */
const DISPLAY_NAMES: Readonly<Record<string, string>> = {
	userId: 'User ID',
	contractAddress: 'Contract Address',
	functionSource: 'Function Source',
	abi: 'Function Signature',
	contractAbi: 'Contract ABI',
	contractFunction: 'Function',
	commonFunction: 'Common Function',
	argumentsMode: 'Arguments Mode',
	arguments: 'Arguments',
	args: 'Arguments',
	value: 'Value',
	valueUnit: 'Value Unit',
	limit: 'Limit',
	userIds: 'User IDs',
	decimals: 'Decimals',
	minimumAmount: 'Minimum Amount',
	minimumChange: 'Minimum Change',
	threshold: 'Threshold',
	hysteresis: 'Hysteresis',
};

interface Description {
	readonly message: string;
	readonly hint: string;
	readonly serviceText?: string;
	readonly httpStatus?: number;
	readonly parameter?: string;
	readonly code?: string;
}

function describe(error: unknown, endpoint: string | undefined): Description {
	if (error instanceof InvalidInput) {
		const parameter = error.parameter && (DISPLAY_NAMES[error.parameter] ?? error.parameter);
		const { message, hint } = error;
		return { message: parameter ? `${parameter}: ${message}` : message, hint, parameter };
	}
	if (error instanceof CallFailure) {
		const { message, hint, serviceText, httpStatus, code } = error.details;
		const place = endpoint === undefined ? '' : ` [${endpoint}]`;
		return { message: `${message}${place}`, hint, serviceText, httpStatus, code };
	}
	const message = error instanceof Error ? error.message : String(error);
	return { message, hint: '' };
}

/** The error with which a run stops: it names the item, what happened, and what to do. */
export function toNodeError(
	error: unknown,
	{ node, itemIndex, endpoint, done = [] }: FailurePlace,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const { message, hint, serviceText, httpStatus } = describe(error, endpoint);
	const what = itemIndex === undefined ? message : `${message} (item ${itemIndex})`;
	// Of a tool's error, n8n hands the message alone to the model.
	const text = node.type.endsWith('Tool') && hint !== '' ? `${what}. ${hint}` : what;
	const description = [hint, ...done].join('\n');
	if (!(error instanceof CallFailure)) {
		return new NodeOperationError(node, text, { description, itemIndex });
	}
	const response: JsonObject = { message: text, ...(serviceText && { serviceText }) };
	const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
	return new NodeApiError(node, response, {
		message: text,
		description,
		httpCode,
		itemIndex,
	});
}

/**
 * The item that stands for a failed input when the run goes on. For the error output it has the two fields alone by which
 * every n8n knows an error; before n8n 2.36 anything else would leave by the output for what went well.
 */
export function toErrorItem(
	error: unknown,
	{ node, itemIndex, endpoint }: ItemPlace,
): INodeExecutionData {
	const { message, hint, serviceText, httpStatus, parameter, code } = describe(error, endpoint);
	const pairedItem = { item: itemIndex };
	if (node.onError === 'continueErrorOutput') {
		const words = [serviceText, hint]
			.filter((text) => text !== undefined && text !== '')
			.join('. ');
		return { json: { error: message, ...(words !== '' && { message: words }) }, pairedItem };
	}
	const details = {
		itemIndex,
		hint,
		...(httpStatus !== undefined && { httpStatus }),
		...(code !== undefined && { code }),
		...(parameter !== undefined && { parameter }),
		...(endpoint !== undefined && { endpoint }),
	};
	return {
		json: { error: message, ...(serviceText !== undefined && { message: serviceText }), details },
		pairedItem,
	};
}
