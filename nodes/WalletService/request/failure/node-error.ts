import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeProperties,
	JsonObject,
} from 'n8n-workflow';
import { ExecutionBaseError, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { uniqueHashes } from '../../values/hashes';
import { InvalidInputError } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { inOneLine } from '../../values/quote';
import { shownUserId } from '../../values/user-id';
import { n8nFailure } from './failure-code';
import { fieldName } from './field-name';
import { isOfClass } from './n8n-class';
import type { ServiceErrorDetails } from './service-error';
import { ServiceError } from './service-error';
import { asClause, asSentences, saysMore } from './service-text';

export interface FailurePlace {
	readonly node: INode;
	/** Parameters of the node; errors use their display names. */
	readonly parameters: readonly INodeProperties[];
	/** Index of the input item, from 0; absent for a trigger. */
	readonly itemIndex?: number;
	/** Method and path of the operation's request, for example `GET /v1/users/DISCORD-1`; absent without one. */
	readonly endpoint?: string;
	/** Earlier submissions of this run, one line each, so that the error includes them. */
	readonly submitted?: readonly string[];
	/** Number of items of the run; absent if unknown. */
	readonly total?: number;
	/** The row of the item in a list of writes; the item is then not counted a second time, by its index. */
	readonly row?: string | undefined;
	/** Whether the title names the row, or the rows. */
	readonly hasRows?: boolean;
	/** Whether a model calls the node; n8n passes it the message of an error, to which some agents add a description not in it. */
	readonly isTool?: boolean;
	/** Whether the run can move money; its failures then include an outcome. */
	readonly isWriting?: boolean;
}

/** The details of a failure, with the parameter if an input was invalid. */
type Description = ServiceErrorDetails & { readonly parameter?: string };

function describe(error: unknown, place: FailurePlace): Description {
	if (error instanceof InvalidInputError) {
		const parameter = error.parameter && fieldName(error.parameter, place.parameters);
		const { message, hint, code } = error;
		const whole = inOneLine(parameter ? `${parameter}: ${message}` : message);
		return { message: whole, hint, code, parameter };
	}
	if (error instanceof ServiceError) {
		const { details, hashes, wholeMessage } = error;
		const message = asSentences([wholeMessage, details.warning ?? '']);
		return { ...details, message, hashes: hashes.length > 0 ? hashes : undefined };
	}
	const message = inOneLine(error instanceof Error ? error.message : String(error));
	// n8n throws such errors while it reads parameters and credentials.
	const code = isOfClass(error, ExecutionBaseError) ? 'invalid-input' : 'internal';
	return { message, hint: '', code };
}

/**
 * The outcome of a write. A failure without a state occurred before the write was sent (see `submit`), except an internal
 * error, which can occur at any time.
 */
function reportedOutcome({ state, code }: Description): 'refused' | 'unknown' {
	const isInternal = state === undefined && code === 'internal';
	return isInternal || state === 'unknown' ? 'unknown' : 'refused';
}

/** The details of a failure for programs, which need not parse English. */
function machineDetails(description: Description, place: FailurePlace): IDataObject {
	const { warning = '', hint, code, hashes } = description;
	const { httpStatus, serviceText, connectionCode, parameter, userId } = description;
	const { endpoint = place.endpoint } = description;
	return defined({
		itemIndex: place.itemIndex,
		outcome: place.isWriting === true ? reportedOutcome(description) : undefined,
		code,
		hint: asSentences([warning, hint]),
		hashes: hashes && [...hashes],
		httpStatus,
		serviceText,
		connectionCode,
		parameter,
		userId,
		endpoint,
	});
}

/** System error codes in a message: n8n would replace the whole message, including hashes, with a generic one. */
const CODE =
	/(E)(CONNREFUSED|CONNRESET|NOTFOUND|TIMEDOUT|RRADDRINUSE|ADDRNOTAVAIL|CONNABORTED|HOSTUNREACH|AI_AGAIN|NOENT|ISDIR|NOTDIR|ACCES|EXIST|PERM)|(G)(ETADDRINFO)/gi;

/** The description of an error: the remedy, the service's message, the item (not of a tool, which has only one) and the user. */
function explanationOf(
	{ message, hint, serviceText = '', code, userId }: Description,
	{ itemIndex, isTool, row, hasRows }: FailurePlace,
): string {
	// The title already contains the service's message, or its meaning.
	const isInTitle = code === 'service-failed' || message.includes(asClause(serviceText));
	const addsText = !isInTitle && saysMore(serviceText);
	const item = itemIndex === undefined ? '' : `Item ${itemIndex + 1}`;
	const which = [
		isTool !== true && hasRows !== true && (row?.replace(/^row/, 'Row') ?? item),
		userId !== undefined && !message.includes(userId) && `user ${shownUserId(userId)}`,
	];
	const reported = addsText ? `The service reported: ${asClause(serviceText)}` : '';
	return asSentences([hint, reported, which.filter(Boolean).join(', ')]);
}

function nodeErrorOf(
	error: unknown,
	described: Description,
	place: FailurePlace,
): NodeApiError | NodeOperationError {
	const { message, code, serviceText, httpStatus, retryAfterMs } = described;
	const { node, isTool, submitted = [] } = place;
	// n8n's editor reads HTML; a model, plain text.
	const lineBreak = isTool === true ? '\n' : '<br>\n';
	// n8n's editor adds the index, from 0, to the title.
	const itemIndex = place.hasRows === true ? undefined : place.itemIndex;
	if (isOfClass(error, NodeApiError) || isOfClass(error, NodeOperationError)) {
		const lines = [error.description, ...submitted].filter(Boolean);
		if (submitted.length > 0) error.description = lines.join(lineBreak);
		return error;
	}
	const description = [explanationOf(described, place), ...submitted]
		.filter(Boolean)
		.join(lineBreak);
	const whole = isTool === true ? asSentences([message, description]) : message;
	const text = whole.replace(CODE, '$1$3-$2$4');
	if (!(error instanceof ServiceError)) {
		return new NodeOperationError(node, text, { description, itemIndex });
	}
	const response: JsonObject = { message: text, ...(serviceText && { serviceText }) };
	// A 2xx status would contradict the failure.
	const httpCode = httpStatus === undefined || httpStatus < 300 ? undefined : String(httpStatus);
	// Absent for a write of unknown outcome, so that nothing repeats it.
	const failure = described.state === 'unknown' ? undefined : n8nFailure(code, retryAfterMs);
	const options = { message: text, description, httpCode, itemIndex, failure };
	return new NodeApiError(node, response, options);
}

/**
 * Creates the error that stops a run. Its title states the problem, its description the remedy and the item;
 * `context.details` is for programs.
 */
export function toNodeError(
	error: unknown,
	place: FailurePlace,
): NodeApiError | NodeOperationError {
	const { row, total, submitted = [] } = place;
	const description = describe(error, place);
	if (row === undefined) return withDetails(error, description, place);
	const sent = submitted.filter((line) => line.startsWith('Submitted')).length;
	const stopped = sent > 0 ? `${sent} of ${total} were sent, then stopped` : 'Stopped';
	const message = `${stopped} at ${row}: ${description.message}`;
	return withDetails(error, { ...description, message }, { ...place, hasRows: true });
}

function withDetails(error: unknown, { hint, ...rest }: Description, place: FailurePlace) {
	const hasSent = place.submitted && place.submitted.length > 0;
	const more = hint.replace('Nothing was sent.', 'Nothing more was sent.');
	const description = { ...rest, hint: hasSent ? more : hint };
	const nodeError = nodeErrorOf(error, description, place);
	const details = machineDetails(description, place);
	// n8n's editor shows `data` in a collapsed section below the error.
	Object.assign(nodeError.context, { details, data: details });
	return nodeError;
}

/** An item of a list that cannot be sent, with its row in words; without both, the list as a whole. */
export interface Unsendable {
	readonly failure: unknown;
	readonly itemIndex?: number;
	readonly row?: string;
}

/**
 * Creates the error of a list of which nothing is sent. Its title lists at most 10 of the rows that cannot be sent.
 *
 * @param main the failure whose row, outcome and remedy the error has
 */
export function toListError(
	failures: readonly Unsendable[],
	{ failure: main }: Unsendable,
	place: FailurePlace & { readonly total: number },
) {
	const all = failures.map(({ failure }) => describe(failure, place));
	const listed = failures
		.slice(0, 10)
		.map(({ row }, index) => [row, all[index]?.message].filter(Boolean).join(': '));
	if (all.length > 10) listed.push(`and ${all.length - 10} more`);
	const rows = failures.filter(({ itemIndex }) => itemIndex !== undefined).length;
	const which = rows === 0 ? 'The list' : `${rows} of ${place.total}`;
	const nothing = place.submitted?.length === 0 ? 'nothing' : 'nothing more';
	const described = describe(main, place);
	const now = described.state === 'unknown' ? ' now' : '';
	const message = `${which} cannot be sent, ${nothing} was sent${now}: ${listed.join('; ')}`;
	const hashes = all.flatMap((one) => one.hashes ?? []);
	return withDetails(
		undefined,
		{ ...described, message, hashes: hashes.length > 0 ? uniqueHashes(hashes) : undefined },
		{ ...place, hasRows: true },
	);
}

/** Creates the output item for a failed input if the run continues. */
export function toErrorItem(
	error: unknown,
	place: FailurePlace & { readonly itemIndex: number },
): INodeExecutionData {
	const description = describe(error, place);
	const pairedItem = { item: place.itemIndex };
	const message = explanationOf(description, place);
	const details = machineDetails(description, place);
	return { json: { error: description.message, message, details }, pairedItem };
}
