import type { IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { InvalidInputError } from '../../../values/invalid-input';

/** A tool's call for which an agent waits, as n8n keeps it until the agent runs again. */
interface Awaited {
	readonly nodeName: string;
	readonly runIndex: number;
	readonly action: {
		readonly id?: string;
		/** `parentNodeName`: the node that has asked a person. */
		readonly metadata?: { readonly parentNodeName?: string };
	};
}

/** An agent in n8n's queue of nodes to run, with the calls of its turn. */
interface WaitingAgent {
	readonly node: Pick<INode, 'name'>;
	readonly runIndex?: number;
	readonly metadata?: {
		readonly subNodeExecutionData?: { readonly actions: readonly Awaited[] };
	};
}

/** Finds the agent for which n8n runs a tool, and its call. */
function awaitedCall(
	context: IExecuteSingleFunctions,
	{ node: { name }, runIndex }: Pick<WaitingAgent, 'node' | 'runIndex'>,
) {
	const { executionData } = Object(Reflect.get(context, 'runExecutionData'));
	const waiting: readonly WaitingAgent[] = Object(executionData).nodeExecutionStack ?? [];
	for (const agent of waiting) {
		const calls = agent.metadata?.subNodeExecutionData?.actions ?? [];
		const call = calls.find((one) => one.nodeName === name && one.runIndex === runIndex);
		if (call !== undefined) return { agent, action: call.action };
	}
	return undefined;
}

/** Whether n8n took the request of a review for its answer. */
function isUnreviewed(
	context: IExecuteSingleFunctions,
	{ id, metadata }: Awaited['action'],
): boolean {
	const { runData } = Object(Object(Reflect.get(context, 'runExecutionData')).resultData);
	const reviews: unknown[] = Object(runData)[String(metadata?.parentNodeName)] ?? [];
	const outputs = reviews.map((review) => Object(Object(review).data).ai_tool?.[0]?.[0]);
	return outputs.some((output) => Object(Object(output).json).toolCallId === id);
}

/**
 * Checks that n8n has not skipped the review of a tool's call, nor that of an agent that leads to it. n8n (2.41 at least)
 * asks nobody about further calls of a turn, nor in the Retry of an execution that was stopped, and then believes an
 * `approved` among the values of the model or of the item.
 *
 * @throws InvalidInputError
 * @example assertReviewed(context) // nothing, outside agents
 */
export function assertReviewed(context: IExecuteSingleFunctions): void {
	// The execute data of an agent before version 3 that calls the node, and may itself be a tool.
	let caller: Pick<WaitingAgent, 'node' | 'runIndex'> = context.getExecuteData();
	for (
		let awaited = awaitedCall(context, caller);
		awaited !== undefined;
		awaited = awaitedCall(context, caller)
	) {
		if (isUnreviewed(context, awaited.action)) {
			throw new InvalidInputError({
				code: 'mixed-up-call',
				message: 'n8n has asked nobody to review this call',
				hint: 'Nothing was sent. Call the tool again by itself',
			});
		}
		caller = awaited.agent;
	}
}
