import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeProperties,
	JsonObject,
} from 'n8n-workflow';
import {
	ExecutionBaseError,
	NodeApiError,
	NodeOperationError,
	recordConsumedAuth,
} from 'n8n-workflow';

import { InvalidInputError } from '../../values/invalid-input';
import type { FailureCode } from './failure-code';
import { ServiceError } from './service-error';

/** Where in a run something failed. */
export interface FailurePlace {
	readonly node: INode;
	/** The form that the user filled in: an error names a parameter as it is shown there. */
	readonly parameters: readonly INodeProperties[];
	/** Index of the input item, from 0; a trigger has none. */
	readonly itemIndex?: number;
	/** Method and path of the request, for example `GET /v1/users/DISCORD-1`; absent when none was made. */
	readonly endpoint?: string;
	/** What this run has already submitted, one line each: it must not be lost with the failure. */
	readonly submitted?: readonly string[];
	/** Whether a model calls the node: n8n passes it only the message of an error. */
	readonly isTool?: boolean;
	/** Whether the run can move money: then a failure states the outcome. */
	readonly isWriting?: boolean;
}

/** Where in a run an item failed. */
export interface ItemPlace extends FailurePlace {
	readonly itemIndex: number;
}

/**
 * A parameter, or an entry of a collection, as the editor shows it, which leaves out the words that n8n's lint demands of a
 * dynamic list.
 */
function displayNameOf(parameter: string, { parameters }: FailurePlace): string {
	const entries = parameters.flatMap(({ type, options = [] }) =>
		type === 'collection' ? (options as INodeProperties[]) : [],
	);
	const found = [...parameters, ...entries].find(({ name }) => name === parameter);
	const shown = found?.displayName ?? parameter;
	return shown.replace(/ Name or ID$/, '');
}

interface Description {
	readonly message: string;
	readonly hint: string;
	readonly code: FailureCode;
	readonly serviceText?: string;
	readonly httpStatus?: number;
	readonly parameter?: string;
	readonly connectionCode?: string;
	readonly outcome?: 'refused' | 'unknown';
	readonly hashes?: readonly string[];
}

function describe(error: unknown, place: FailurePlace): Description {
	if (error instanceof InvalidInputError) {
		const parameter = error.parameter && displayNameOf(error.parameter, place);
		const { message, hint, code } = error;
		return { message: parameter ? `${parameter}: ${message}` : message, hint, code, parameter };
	}
	if (error instanceof ServiceError) {
		const { message, ...rest } = error.details;
		const endpoint = place.endpoint === undefined ? '' : ` [${place.endpoint}]`;
		return { ...rest, message: `${message}${endpoint}` };
	}
	const message = error instanceof Error ? error.message : String(error);
	// n8n's own errors come from reading parameters and credentials.
	const code = error instanceof ExecutionBaseError ? 'invalid-input' : 'internal';
	return { message, hint: '', code };
}

/** What a workflow can branch on, without reading English. */
function detailsOf(description: Description, place: FailurePlace): IDataObject {
	const { hint, code, httpStatus, connectionCode, parameter, hashes } = description;
	// A failure before a write is sent has no outcome: the write certainly was not done (see `submit`). A fault of the node
	// itself may have occurred at any time.
	const whenSilent = code === 'internal' ? 'unknown' : 'refused';
	const outcome = place.isWriting === true ? (description.outcome ?? whenSilent) : undefined;
	const { itemIndex, endpoint } = place;
	return {
		...(itemIndex !== undefined && { itemIndex }),
		...(outcome !== undefined && { outcome }),
		code,
		hint,
		...(hashes !== undefined && { hashes: [...hashes] }),
		...(httpStatus !== undefined && { httpStatus }),
		...(connectionCode !== undefined && { connectionCode }),
		...(parameter !== undefined && { parameter }),
		...(endpoint !== undefined && { endpoint }),
	};
}

/** What n8n mistakes for the code of a system error, anywhere in a message. */
const CODE =
	/(E)(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|RRADDRINUSE|ADDRNOTAVAIL|CONNABORTED|HOSTUNREACH|AI_AGAIN|NOENT|ISDIR|NOTDIR|ACCES|EXIST|PERM)|(G)(ETADDRINFO)/gi;

/** A message that n8n does not change: one with a code in it would be replaced by a generic text, and its hashes lost. */
function withoutCodes(message: string): string {
	return message.replace(CODE, '$1$3-$2$4');
}

function nodeErrorOf(
	error: unknown,
	{ message, hint, serviceText, httpStatus, connectionCode }: Description,
	{ node, itemIndex, isTool, submitted = [] }: FailurePlace,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const what = itemIndex === undefined ? message : `${message} (item ${itemIndex})`;
	const whole = isTool === true && hint !== '' ? `${what}. ${hint}` : what;
	const text = withoutCodes(whole);
	const advice = connectionCode === undefined ? hint : `${hint} (${connectionCode})`;
	const description = [advice, ...submitted].join('\n');
	if (!(error instanceof ServiceError)) {
		return new NodeOperationError(node, text, { description, itemIndex });
	}
	const response: JsonObject = { message: text, ...(serviceText && { serviceText }) };
	const httpCode = httpStatus === undefined ? undefined : String(httpStatus);
	return new NodeApiError(node, response, { message: text, description, httpCode, itemIndex });
}

/**
 * The error with which a run stops. It names the item, what happened, and what to do; `context.details` holds what a
 * program can branch on.
 */
export function toNodeError(
	error: unknown,
	place: FailurePlace,
): NodeApiError | NodeOperationError {
	const description = describe(error, place);
	const nodeError = nodeErrorOf(error, description, place);
	nodeError.context.details = detailsOf(description, place);
	return nodeError;
}

/**
 * Whether n8n recognizes an error item that has `details` (from 2.36 on); before, it would be sent to the Success output.
 * This function was added in the same version.
 */
const knowsDetails = typeof recordConsumedAuth === 'function';

/**
 * The output item for a failed input when the run continues. For the error output of an older n8n it has only the two
 * fields by which every n8n recognizes an error.
 */
export function toErrorItem(error: unknown, place: ItemPlace): INodeExecutionData {
	const description = describe(error, place);
	const { message, hint, serviceText } = description;
	const pairedItem = { item: place.itemIndex };
	const isForOutput = place.node.onError === 'continueErrorOutput';
	const words = [serviceText, isForOutput ? hint : undefined]
		.filter((text) => text !== undefined && text !== '')
		.join('. ');
	const json = { error: message, ...(words !== '' && { message: words }) };
	if (isForOutput && !knowsDetails) return { json, pairedItem };
	return { json: { ...json, details: detailsOf(description, place) }, pairedItem };
}
