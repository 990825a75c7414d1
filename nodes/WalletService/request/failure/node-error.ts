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
import { defined } from '../../values/objects';
import { n8nFailure } from './failure-code';
import type { ServiceErrorDetails } from './service-error';
import { ServiceError } from './service-error';
import { asClause, asSentences, saysMore } from './service-words';

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

function fieldIn(entries: readonly INodeProperties[], path: string): string | undefined {
	const [outer, , inner] = path.split('.');
	const entry = entries.find(({ name, type }) => name === outer && type === 'fixedCollection');
	const fields = (entry?.options ?? []).flatMap((group) => ('values' in group ? group.values : []));
	const field = fields.find(({ name }) => name === inner);
	return field && `${entry?.displayName}: ${field.displayName}`;
}

/** A parameter, or an entry of a collection, as the editor shows it: without the words that n8n's lint demands of a list. */
function displayNameOf(parameter: string, { parameters }: FailurePlace): string {
	const shownEntries = parameters
		.flatMap(({ type, options }) => (type === 'collection' ? (options as INodeProperties[]) : []))
		.filter(({ type }) => type !== 'hidden');
	const [, collection = '', asked = parameter] = /^(Options: )(.+)$/s.exec(parameter) ?? [];
	const known = collection === '' ? [...parameters, ...shownEntries] : shownEntries;
	const found = known.find(({ name }) => name === asked);
	const shown = found?.displayName ?? fieldIn(shownEntries, asked) ?? asked;
	return `${collection}${shown.replace(/ Name or ID$/, '')}`;
}

/** What is known of a failure; a parameter, if it is that of an input. */
type Description = ServiceErrorDetails & { readonly parameter?: string };

function describe(error: unknown, place: FailurePlace): Description {
	if (error instanceof InvalidInputError) {
		const parameter = error.parameter && displayNameOf(error.parameter, place);
		const { message, hint, code } = error;
		return { message: parameter ? `${parameter}: ${message}` : message, hint, code, parameter };
	}
	if (error instanceof ServiceError) {
		const { message, warning = '' } = error.details;
		return { ...error.details, message: asSentences([message, warning]) };
	}
	const message = error instanceof Error ? error.message : String(error);
	// n8n's own errors come from reading parameters and credentials.
	const code = error instanceof ExecutionBaseError ? 'invalid-input' : 'internal';
	return { message, hint: '', code };
}

/** What a workflow can branch on, without reading English. */
function machineDetails(description: Description, place: FailurePlace): IDataObject {
	const { warning = '', hint, code, hashes } = description;
	const { httpStatus, serviceText, connectionCode, parameter, userId } = description;
	// A failure before a write is sent has no outcome: the write certainly was not done (see `submit`). A fault of the node
	// itself may have occurred at any time.
	const whenSilent = code === 'internal' ? 'unknown' : 'refused';
	return defined({
		itemIndex: place.itemIndex,
		outcome: place.isWriting === true ? (description.outcome ?? whenSilent) : undefined,
		code,
		hint: asSentences([warning, hint]),
		hashes: hashes && [...hashes],
		httpStatus,
		serviceText,
		connectionCode,
		parameter,
		userId,
		endpoint: place.endpoint,
	});
}

/** What n8n takes for the code of a system error: it would replace the message by a generic text, and its hashes be lost. */
const CODE =
	/(E)(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|RRADDRINUSE|ADDRNOTAVAIL|CONNABORTED|HOSTUNREACH|AI_AGAIN|NOENT|ISDIR|NOTDIR|ACCES|EXIST|PERM)|(G)(ETADDRINFO)/gi;

/** What the title leaves out for a person: what to do, the service's own words, which item and whose wallet. */
function explanationOf(
	{ message, hint, serviceText = '', code, userId }: Description,
	{ itemIndex }: FailurePlace,
): string {
	// The title of a refusal has them, or says the same in plain words.
	const wasSaid = code === 'service-failed' || message.includes(asClause(serviceText));
	const isWorthSaying = !wasSaid && saysMore(serviceText);
	const which = [
		itemIndex !== undefined && `Item ${itemIndex}`,
		userId !== undefined && !message.includes(userId) && `user ${userId}`,
	];
	const said = isWorthSaying ? `The service says: ${asClause(serviceText)}` : '';
	return asSentences([hint, said, which.filter(Boolean).join(', ')]);
}

function nodeErrorOf(
	error: unknown,
	described: Description,
	place: FailurePlace,
): NodeApiError | NodeOperationError {
	const { message, hint, code, serviceText, httpStatus, retryAfterMs } = described;
	const { node, itemIndex, isTool, submitted = [] } = place;
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		const lines = [error.description, ...submitted].filter(Boolean);
		if (submitted.length > 0) error.description = lines.join('\n');
		return error;
	}
	const whole = isTool === true ? asSentences([message, hint]) : message;
	const text = whole.replace(CODE, '$1$3-$2$4');
	const description = [explanationOf(described, place), ...submitted].join('\n');
	if (!(error instanceof ServiceError)) {
		return new NodeOperationError(node, text, { description, itemIndex });
	}
	const response: JsonObject = { message: text, ...(serviceText && { serviceText }) };
	// 200 stands for no failure.
	const httpCode = httpStatus === undefined || httpStatus < 300 ? undefined : String(httpStatus);
	// A write of unknown outcome has none: nothing may take it for one that can be repeated.
	const failure = described.outcome === 'unknown' ? undefined : n8nFailure(code, retryAfterMs);
	const options = { message: text, description, httpCode, itemIndex, failure };
	return new NodeApiError(node, response, options);
}

/**
 * The error with which a run stops. Its title says what happened, its description what to do and which item it was;
 * `context.details` holds what a program can branch on.
 */
export function toNodeError(
	error: unknown,
	place: FailurePlace,
): NodeApiError | NodeOperationError {
	const description = describe(error, place);
	const nodeError = nodeErrorOf(error, description, place);
	const details = machineDetails(description, place);
	// The second is what n8n's editor shows, folded, below the error.
	Object.assign(nodeError.context, { details, data: details });
	return nodeError;
}

/** Whether n8n recognizes an error item that has `details` (from 2.36 on, when it got this function): else it counts as a success. */
const knowsDetails = typeof recordConsumedAuth === 'function';

/**
 * The output item for a failed input when the run continues. For the error output of an older n8n it has only the two
 * fields by which every n8n recognizes an error.
 */
export function toErrorItem(
	error: unknown,
	place: FailurePlace & { readonly itemIndex: number },
): INodeExecutionData {
	const description = describe(error, place);
	const pairedItem = { item: place.itemIndex };
	const json = { error: description.message, message: explanationOf(description, place) };
	if (place.node.onError === 'continueErrorOutput' && !knowsDetails) return { json, pairedItem };
	return { json: { ...json, details: machineDetails(description, place) }, pairedItem };
}
