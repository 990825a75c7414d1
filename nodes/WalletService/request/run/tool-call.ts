import type { FromAIArgument, IExecuteSingleFunctions, INode } from 'n8n-workflow';
import { NodeConnectionTypes, traverseNodeParameters } from 'n8n-workflow';

import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';

/** Keys that n8n's `$fromAI` accepts. */
const KEY = /^[A-Za-z0-9_-]{1,64}$/;

type Context = Pick<IExecuteSingleFunctions, 'getNode' | 'getExecutionId'>;

/** The ID of the execution; `undefined` where n8n provides none: for tools of the MCP Server Trigger and built-in agents. */
export function executionIdOf(context: Pick<Context, 'getExecutionId'>): string | undefined {
	const id: unknown = context.getExecutionId();
	return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Whether a model calls the node as a tool. n8n derives a node type for tools, but not for all built-in agents. */
export function isTool(context: Context): boolean {
	return context.getNode().type.endsWith('Tool') || executionIdOf(context) === undefined;
}

/**
 * Whether n8n's engine runs the node, as every node of a workflow and every tool of an agent from version 3 on: the execute
 * data are then its own, not those of the agent or the MCP Server Trigger.
 *
 * @example isRunByEngine(context) // true
 */
export function isRunByEngine(
	context: Pick<IExecuteSingleFunctions, 'getExecuteData' | 'getNode'>,
): boolean {
	return context.getExecuteData().node.name === context.getNode().name;
}

/**
 * The model's values for a call if n8n runs the tool outside its engine (for agents before version 3 and the MCP Server
 * Trigger), otherwise `undefined`. All attempts of one call share the object; no other call has it.
 */
export function filledInByModel(
	context: IExecuteSingleFunctions,
): Readonly<Record<string, unknown>> | undefined {
	if (isRunByEngine(context)) return undefined;
	const item: unknown = context.getInputData(0, NodeConnectionTypes.AiTool);
	return isObject(item) && isObject(item.json) ? item.json : undefined;
}

/** Reads the model's value for a key, as n8n's expressions do. */
function takenByN8n(context: IExecuteSingleFunctions, key: string): unknown {
	try {
		const expression = `{{ $fromAI(${JSON.stringify(key)}) }}`;
		return context.evaluateExpression(expression, context.getItemIndex());
	} catch {
		return undefined;
	}
}

/**
 * Checks that n8n reads the parameters of a tool call with the values of this call. n8n finds the values by counting
 * the tool's runs. Tools created at the same time, for the items of a batch, start at the same count; n8n 2.41 then
 * uses the values of one call for another, so one payment would be sent twice and another one never.
 *
 * @throws InvalidInputError if the values are not those of the call.
 */
export function assertOwnValues(context: IExecuteSingleFunctions): void {
	const own = isTool(context) ? filledInByModel(context) : undefined;
	for (const [key, value] of Object.entries(own ?? {})) {
		if (!KEY.test(key)) continue;
		const taken = takenByN8n(context, key);
		if (JSON.stringify(taken) === JSON.stringify(value)) continue;
		throw new InvalidInputError({
			code: 'mixed-up-call',
			message: `n8n confused this call with another one made at the same time: for ${key} it used ${quote(taken)} instead of ${quote(value)}`,
			hint: 'Nothing was done. Call the tool again, one call at a time; in a workflow, set the Batch Size of the agent to 1',
		});
	}
}

/** A tool's call for which an agent waits, as n8n keeps it until the agent runs again. */
interface Awaited {
	readonly nodeName: string;
	readonly runIndex: number;
	readonly action: {
		readonly id?: string;
		/** The model's values. */
		readonly input?: unknown;
		/** `hitl`: a person is asked before the call; `parentNodeName`: the node that has asked. */
		readonly metadata?: { readonly hitl?: unknown; readonly parentNodeName?: string };
	};
}

/** An agent in n8n's queue of nodes to run, with the calls of its turn. */
interface WaitingAgent {
	readonly node: Pick<INode, 'name' | 'type' | 'parameters' | 'executeOnce'>;
	readonly runIndex?: number;
	readonly data: { readonly main?: ReadonlyArray<readonly unknown[] | null> };
	readonly metadata?: {
		readonly subNodeExecutionData?: {
			readonly actions: readonly Awaited[];
			readonly metadata?: {
				readonly iterationCount?: number;
				/** The calls whose results it has passed to the model. */
				readonly previousRequests?: ReadonlyArray<{ readonly action?: { toolCallId?: unknown } }>;
			};
		};
	};
}

/** Whether no result has been passed to any item of an agent; n8n does not count the turn of an approved call. */
function isFirstTurn({ metadata }: WaitingAgent): boolean {
	const { iterationCount, previousRequests = [] } = metadata?.subNodeExecutionData?.metadata ?? {};
	return iterationCount === 1 && previousRequests.length === 0;
}

/**
 * Finds the agent for which n8n runs a tool, with the calls of its turn.
 *
 * @param run index of the tool's run
 * @example awaitedCall(context, 'Pay', 0)?.agent.node.name // 'AI Agent'
 */
export function awaitedCall(context: IExecuteSingleFunctions, tool: string, run?: number) {
	const { executionData } = Object(Reflect.get(context, 'runExecutionData'));
	const waiting: readonly WaitingAgent[] = Object(executionData).nodeExecutionStack ?? [];
	for (const agent of waiting) {
		const calls = agent.metadata?.subNodeExecutionData?.actions ?? [];
		const call = calls.find(({ nodeName, runIndex }) => nodeName === tool && runIndex === run);
		if (call !== undefined) return { agent, calls, action: call.action };
	}
	return undefined;
}

/**
 * Whether n8n took the request of a review for its answer: it asks nobody about further calls of a turn, nor in the Retry of
 * an execution that was stopped, and then believes an `approved` among the values of the model or of the item.
 */
function isUnreviewed(
	context: IExecuteSingleFunctions,
	{ id, metadata }: Awaited['action'],
): boolean {
	const { runData } = Object(Object(Reflect.get(context, 'runExecutionData')).resultData);
	const reviews: unknown[] = Object(runData)[String(metadata?.parentNodeName)] ?? [];
	const outputs = reviews.map((review) => Object(Object(review).data).ai_tool?.[0]?.[0]);
	return outputs.some((output) => Object(Object(output).json).toolCallId === id);
}

/** Why the model will not know the result of a call, and the remedy; `undefined` if it will. */
function whyLost({ agent, calls, action }: NonNullable<ReturnType<typeof awaitedCall>>) {
	const { node, data, metadata } = agent;
	const { previousRequests = [], iterationCount = NaN } =
		metadata?.subNodeExecutionData?.metadata ?? {};
	const isOfSeveral = node.executeOnce !== true && (data.main?.[0]?.length ?? 0) > 1;
	if (isOfSeveral && !isFirstTurn(agent))
		return [
			'n8n mixes up the results of an agent that works on several items',
			'Give the agent one item at a time: put Loop Over Items before it',
		] as const;
	// The limit is not known if it is an expression.
	if (iterationCount >= Number(Object(node.parameters.options).maxIterations ?? 10))
		return [
			`n8n ends ${quote(node.name)} after this call, which reaches its Max Iterations`,
			'Raise Max Iterations under Options of the agent',
		] as const;
	if (calls.some((call) => call.action.metadata?.hitl))
		return [
			'n8n drops the result of this call, because another one of the same turn waits for a person',
			'Call the tool again by itself',
		] as const;
	if (previousRequests.some((earlier) => earlier.action?.toolCallId === action.id))
		return [
			'n8n drops the result of this call, because the model has given it the ID of an earlier one',
			'Use a model, or a server of models, that gives each call an ID of its own',
		] as const;
	return undefined;
}

/**
 * A value of the model for which no parameter of a tool asks. n8n does not check this, and shows it to expressions in
 * place of the value of the item.
 */
function unaskedValue(
	{ parameters }: WaitingAgent['node'],
	{ input, metadata }: Awaited['action'],
): string | undefined {
	const asked: FromAIArgument[] = [];
	traverseNodeParameters(parameters, asked);
	const known = asked.map(({ key }) => key);
	// To a reviewed call n8n adds the name of the tool, and calls a text in place of arguments its input.
	if (metadata?.parentNodeName !== undefined)
		known.push('tool', ...(known.length === 0 ? ['input'] : []));
	return Object.entries(Object(input)).find(
		([key, value]) => value !== undefined && !known.includes(key),
	)?.[0];
}

const mixedUp = (message: string, hint: string) =>
	new InvalidInputError({ code: 'mixed-up-call', message, hint: `Nothing was sent${hint}` });

const NOT_PASSED = ', because the model would not know of it, and could repeat it. ';

/**
 * Checks that a tool's call has only values for which it asks, and that the model will know its result, if n8n runs the
 * tool for an agent. n8n 2.41 passes an agent that works on several items results of other items from its third turn on, so
 * that it could repeat a call of an earlier one, and carries out each reviewed call once for each item. In a turn with a
 * reviewed call, it drops the results of all other calls once a person has approved. It also drops that of a call with the
 * ID of one in an earlier turn, and those of the last turn that an agent may take: of an agent that is a tool, its caller
 * learns only that it failed. In a workflow with the old execution order, it runs an agent before its tools.
 *
 * @throws InvalidInputError if the model may not get the result, if a review was skipped, or for a value too many
 * @example assertResultArrives(context) // nothing, outside agents
 */
export function assertResultArrives(context: IExecuteSingleFunctions): void {
	// The execute data of an agent before version 3 that calls the node, and may itself be a tool.
	let caller: Pick<WaitingAgent, 'node' | 'runIndex'> = context.getExecuteData();
	let awaited = awaitedCall(context, caller.node.name, caller.runIndex);
	// An agent can be a tool of another one.
	while (awaited !== undefined) {
		if (isUnreviewed(context, awaited.action))
			throw mixedUp('n8n has asked nobody to review this call', '. Call the tool again by itself');
		const unasked = unaskedValue(caller.node, awaited.action);
		if (unasked !== undefined)
			throw mixedUp(
				`The model has passed ${quote(unasked)}, for which the tool ${quote(caller.node.name)} does not ask`,
				', because n8n would use it in place of a value of the item. Call the tool again without it',
			);
		const lost = whyLost(awaited);
		if (lost) throw mixedUp(lost[0], `${NOT_PASSED}${lost[1]}`);
		caller = awaited.agent;
		awaited = awaitedCall(context, caller.node.name, caller.runIndex);
	}
	// Calls of built-in agents, and of MCP clients on a worker of queue mode, follow no node.
	if (!caller.node.type.endsWith('Tool') || context.getExecuteData().source === null) return;
	throw mixedUp(
		'n8n runs this call for an agent that does not wait for it',
		`${NOT_PASSED}In the settings of the workflow, set Execution Order to v1`,
	);
}
