import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { activeCredentialType } from '../request/credential/active-credential';
import { executionIdOf, filledInByModel, isRunByEngine } from '../request/run/tool-call';
import { genuineRun } from './kept-runs';

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

/**
 * The execution of an item, in a Retry the first one; `undefined` where n8n provides no ID.
 *
 * @example executionOf(context) // '["workflow ID","token"]'
 */
export function executionOf(
	context: IExecuteSingleFunctions,
	own = executionIdOf(context),
): string | undefined {
	if (own === undefined) return undefined;
	return JSON.stringify([context.getWorkflow().id, tokenOf(context) ?? own]);
}

function runIndexOf(context: IExecuteSingleFunctions): number {
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
	if (scope !== undefined) return { scope, node, run: runIndexOf(context), item };
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
