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
 * What n8n's own routing gives each item in place of the node's context. n8n's HTTP client would use the credential of item 0
 * for all items; a credential with expressions can have a different token for each item.
 *
 * @param node the context's own, the same for all items: n8n copies it each time
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
 * An item, read through its own context.
 *
 * @param node given with the node's context, which has no members of one item: see {@link membersOfItem}
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
		// A write is checked against the policy at the moment it is sent, so it never uses the shared credential.
		getCredentials: async (type: string) =>
			run.isSequential
				? await given.getCredentials(type, index)
				: await readOncePerRun(run.once, given, type, index),
	}) as IExecuteSingleFunctions;
	return { index, context, read: parameterReader(context, parameters, run.fixedValues) };
}
