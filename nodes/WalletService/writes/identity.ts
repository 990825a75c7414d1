import { id } from 'ethers';
import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { randomString } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { argumentsIn, calldata } from '../contract/call';
import type { ContractFunction } from '../contract/function';
import { numbersInWords } from '../contract/token-moves';
import { activeCredentialType } from '../request/credential/active-credential';
import { executionIdOf, filledInByModel, isRunByEngine } from '../request/run/tool-call';
import { readInteger } from '../values/integers';
import { isItem } from '../values/objects';
import { orderKey } from './order-key';
import { genuineRun } from './run-data';
import { scopeText } from './scope-text';

/** The position of a write in n8n. n8n may return to the same place (Retry on Fail); another place is another write. */
export interface Place {
	/**
	 * The execution, by workflow ID and token; for a Retry, the first one. Without an execution ID, the invocation: the
	 * object that n8n creates for one tool call, or for one request of a built-in agent.
	 */
	readonly scope: string | object;
	/** Name of the node: unlike IDs, names are unique in a workflow. */
	readonly node: string;
	/** Index of the node's run in its execution: two passes of a loop are two writes. Invented runs do not count. 0 in an invocation. */
	readonly run: number;
	/** Index of the item, from 0. */
	readonly item: number;
}

const REPEATED_WITHIN_MS = 24 * 60 * 60_000;

/** The origin of a write, determined once, before its turn. */
export interface Origin {
	readonly place: Place;
	/** ID of the execution; absent without one. */
	readonly execution: string | undefined;
	/** Whether an earlier execution may have requested the write, and its request may still arrive. */
	readonly isRetry: boolean;
	/** Whether a Retry is known to be of the same execution; not of one that a version of n8n without resume tokens began. */
	readonly isNamed: boolean;
	/**
	 * Whether the service may have recorded the write before this attempt: who else has sent an order, or the first
	 * execution of a Retry, only the service knows.
	 */
	readonly mayBeKept: boolean;
	/**
	 * How long an equal call of the same node in another execution counts as the write itself, in milliseconds: in the
	 * editor, where steps are repeated for their output.
	 */
	readonly repeatWindowMs: number;
	/**
	 * The scope of a limit per execution: the execution or, without one, the request. n8n creates one object for all tool
	 * calls of a request to an MCP Server Trigger, and one for each call of a built-in agent.
	 */
	readonly budget: Place['scope'];
	/**
	 * Identifies the credential for its queue, budget and calls of unknown outcome; credentials without an ID share one
	 * key.
	 */
	readonly credentialKey: string;
}

/**
 * The token with which n8n resumes an execution. A Retry has that of the first execution, and no other execution ever
 * has it: IDs are given out again after n8n was restored from a backup. `undefined` if an earlier n8n began the execution.
 */
function tokenOf(context: IExecuteSingleFunctions): string | undefined {
	const { $execution } = context.getWorkflowDataProxy(context.getItemIndex());
	return /[?&]signature=([^&]+)/.exec(String(Object($execution).resumeUrl))?.[1];
}

/** The execution of an item, in a Retry the first one; `undefined` where n8n provides no ID. */
function executionOf(
	context: IExecuteSingleFunctions,
	own = executionIdOf(context),
): string | undefined {
	if (own === undefined) return undefined;
	return JSON.stringify([context.getWorkflow().id, tokenOf(context) ?? own]);
}

function runOf(context: IExecuteSingleFunctions): number {
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return genuineRun(context, $runIndex);
}

/**
 * The place of an item's write.
 *
 * For a tool outside the engine, the place is the call itself: n8n counts every attempt as a separate run, and tools
 * created at the same time start at the same count. All attempts of one call share the object with the model's values,
 * which no other call has. In the engine, each call is one run of the tool, which a Retry continues; a built-in agent has
 * no execution, and all attempts of a call share its execute data.
 *
 * @example placeOf(context) // { scope: '["workflow ID","token"]', node: 'Wallet Service', run: 0, item: 0 }
 */
export function placeOf(context: IExecuteSingleFunctions, execution = executionOf(context)): Place {
	const node = context.getNode().name;
	const item = context.getItemIndex();
	const scope = isRunByEngine(context) ? execution : undefined;
	if (scope !== undefined) return { scope, node, run: runOf(context), item };
	return { scope: filledInByModel(context) ?? context.getExecuteData(), node, run: 0, item };
}

/**
 * The origin of an item's write.
 *
 * @param orderId the order that it pays, if any
 * @example originOf(context).credentialKey // '["walletServiceApi","Xk3"]'
 */
export function originOf(context: IExecuteSingleFunctions, orderId?: string): Origin {
	const type = activeCredentialType(context);
	const execution = executionIdOf(context);
	const scope = execution && executionOf(context, execution);
	const isRetry = context.getMode() === 'retry';
	const isRepeatedByHand = execution !== undefined && context.getMode() === 'manual';
	return {
		place: placeOf(context, scope),
		execution,
		isRetry,
		isNamed: tokenOf(context) !== undefined,
		mayBeKept: orderId !== undefined || isRetry,
		repeatWindowMs: isRepeatedByHand ? REPEATED_WITHIN_MS : 0,
		budget: scope ?? context.getExecuteData(),
		credentialKey: JSON.stringify([type, context.getNode().credentials?.[type]?.id ?? '']),
	};
}

/** The parameter with the number of an order. */
export const ORDER_ID = 'orderId';

/** What to do about an order that was sent with other values. */
export const ORDER_CONFLICT =
	'Nothing was sent now. If this is another order, give it another Order ID';

/** The name of a write at a service that keeps it for ever: the same write has the same key, whoever repeats it. */
export interface WriteKey {
	/** The number or text of an order, which replaces the place; absent for the key of a place. */
	readonly orderId?: string;
	/** The first one, by which the write is recognized. */
	readonly first: string;
	/** @param ordinal how often the write was certainly not carried out under an earlier key, from 0 */
	at(ordinal: number): string;
}

/** What decides the key of a write, besides its place. */
export interface KeyParts {
	/** The order that it pays. */
	readonly orderId?: string | undefined;
	/**
	 * Whether the service says that it keeps orders, as by default. Another one gets the number all the same: something before
	 * it may have answered the question.
	 */
	readonly isKept?: boolean;
	/** Whether it is a further write, whatever was sent before. */
	readonly sendsAgain?: boolean;
	/** The call of a tool, which a model never makes twice in one execution. */
	readonly ofTool?: string;
}

/**
 * The key of a write: its Order ID, a hash of a tool's call, or a hash of its place. No value of an expression is part of the
 * key of a place, because n8n evaluates expressions again for each attempt.
 *
 * @example writeKey(context, placeOf(context)).first // 'n8n-5f16…'
 */
export function writeKey(
	context: IExecuteSingleFunctions,
	place: Place,
	{ orderId, isKept = true, sendsAgain = false, ofTool }: KeyParts = {},
): WriteKey {
	if (orderId !== undefined) {
		// No Order ID begins with a space, so these keys belong to no other order.
		const first = orderKey(orderId);
		const at = (ordinal: number) => (ordinal === 0 ? first : ` ${ordinal} ${first}`);
		return isKept ? { orderId, first, at } : { first, at };
	}
	const { node, run, item } = place;
	const scope = ofTool === undefined ? place.scope : (executionOf(context) ?? place.scope);
	const invocation = scopeText(scope);
	const what = ofTool === undefined ? [node, run, item] : ['tool', ofTool];
	const parts = sendsAgain ? [randomString(32)] : [context.getInstanceId(), invocation, ...what];
	// Without `0x`, because a key must not be mistaken for the hash of a transaction.
	const at = (ordinal: number) => `n8n-${id(JSON.stringify([...parts, ordinal])).slice(2)}`;
	return { first: at(0), at };
}

/** The identity of a write, regardless of its notation (case, names, units, white space). */
export interface CanonicalCall {
	/** Hash of base URL, lower-case address, calldata and value in wei; the same for equal calls. */
	readonly digest: string;
	/** The call in readable form. */
	readonly shown: Readonly<Record<string, string | readonly string[]>>;
	/** The recipient or spender and the amounts, for a function of a token standard. */
	readonly moves?: string;
}

function digestOf(baseUrl: string, { to, data, value }: Record<'to' | 'data' | 'value', string>) {
	return id(JSON.stringify([baseUrl, to.toLowerCase(), data.toLowerCase(), value]));
}

/**
 * The identity of a recorded transaction, from the `tx` of an answer (interface, section 4.6); without identity if the
 * service leaves out its call.
 *
 * @param fn the function that is probably called, to decode the arguments
 * @example recordedCall('https://wallet.example.com', { to: '0x12', data: '0x8456cb59', value: '0' }, undefined).shown // { contractAddress: '0x12', … }
 */
export function recordedCall(
	baseUrl: string,
	tx: unknown,
	fn: ContractFunction | undefined,
): CanonicalCall {
	const { to, data, value } = isItem(tx) ? tx : {};
	const wei = readInteger(value)?.toString();
	if (typeof to !== 'string' || typeof data !== 'string' || wei === undefined)
		return { digest: '', shown: {} };
	const args = fn && argumentsIn(fn, data);
	const decoded: CanonicalCall['shown'] = fn && args ? { function: fn.key, args } : { data };
	return {
		digest: digestOf(baseUrl, { to, data, value: wei }),
		shown: { contractAddress: to, ...decoded, value: wei },
	};
}

/**
 * The identity of a checked call.
 *
 * @param baseUrl the normalized base URL of the service
 * @example
 * const call = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', args: [] };
 * const checked = checkedCall(parseSignature('pause()'), 'write', call, { resolvedAddresses: {} });
 * canonicalCall('https://wallet.example.com', checked).shown.function // 'pause()'
 */
export function canonicalCall(
	baseUrl: string,
	{ call, contractFunction, move }: CheckedCall,
): CanonicalCall {
	const { address, args, value = '0' } = call;
	return {
		digest: digestOf(baseUrl, { to: address, data: calldata(contractFunction, args), value }),
		shown: { contractAddress: address, function: contractFunction.key, args, value },
		...(move && { moves: `for ${move.party}${numbersInWords(move, address)}` }),
	};
}
