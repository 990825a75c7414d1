import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IGetNodeParameterOptions,
	INode,
	INodeProperties,
} from 'n8n-workflow';

import { deriveContext, readOncePerRun } from '../credential/shared-credential';
import type { ReadParameter } from './read-parameter';
import { parameterReader } from './read-parameter';
import type { Run } from './run';

export interface Item {
	readonly index: number;
	/** Reads the item's own parameters and credential; the credential is shared by the run if it cannot differ by item. */
	readonly context: IExecuteSingleFunctions;
	readonly read: ReadParameter;
}

/**
 * The members of a context that differ by item, as in n8n's own routing. Without them, n8n's HTTP client would use the
 * credential of item 0 for all items, although expressions can produce a different token for each.
 *
 * @param node the node, read once for all items, because n8n copies it on each read
 */
export function membersOfItem(context: IExecuteFunctions, index: number, node: INode): object {
	return {
		getNode: () => node,
		getItemIndex: () => index,
		getInputData: (...input: Parameters<IExecuteFunctions['getInputData']>) =>
			context.getInputData(...input)[index],
		getNodeParameter: (name: string, fallback: unknown, options?: IGetNodeParameterOptions) =>
			context.getNodeParameter(name, index, fallback, options),
		getWorkflowDataProxy: () => context.getWorkflowDataProxy(index),
	};
}

/**
 * Creates an item with its own context.
 *
 * @param node present if `given` is the context of the node, which lacks the members of an item
 */
export function viewItem(
	given: IExecuteFunctions | IExecuteSingleFunctions,
	index: number,
	parameters: readonly INodeProperties[],
	run: Run,
	node?: INode,
): Item {
	const context = deriveContext<object>(given, {
		...(node && membersOfItem(given as IExecuteFunctions, index, node)),
		// A write is never sent with the shared credential, because the policy is checked when it is sent.
		getCredentials: async (type: string) =>
			run.isSequential && run.ahead === undefined
				? await given.getCredentials(type, index)
				: await readOncePerRun(run.once, given, type, index),
	}) as IExecuteSingleFunctions;
	return { index, context, read: parameterReader(context, parameters, run.fixedValues) };
}
