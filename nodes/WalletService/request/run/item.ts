import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IGetNodeParameterOptions,
	INode,
	INodeProperties,
} from 'n8n-workflow';

import { deriveContext } from '../credential/shared-credential';
import type { ReadParameter } from './read-parameter';
import { parameterReader } from './read-parameter';
import type { Run } from './run';

/** One item's own view of n8n, derived once and never changed. */
export interface Item {
	/** From 0. */
	readonly index: number;
	/** Reads the item's own parameters and credential; the credential is shared by the run if it cannot differ by item. */
	readonly context: IExecuteSingleFunctions;
	readonly read: ReadParameter;
}

/**
 * The node's context for one item, as n8n's own routing creates it. n8n's HTTP client would use the credential of item 0
 * for all items; a credential with expressions can have a different token for each item.
 *
 * @param node the context's own, the same for all items
 */
export function contextOfItem(
	context: IExecuteFunctions,
	index: number,
	node: INode = context.getNode(),
): IExecuteSingleFunctions {
	return deriveContext(context, {
		// n8n copies the node each time.
		getNode: () => node,
		getItemIndex: () => index,
		getInputData: (...input: Parameters<IExecuteFunctions['getInputData']>) =>
			context.getInputData(...input)[index],
		getNodeParameter: (name: string, fallback: unknown, options?: IGetNodeParameterOptions) =>
			context.getNodeParameter(name, index, fallback, options),
		// Called on `this`, so that a context derived from this one can be observed (see `SharedCredential`).
		async getCredentials(this: IExecuteFunctions, type: string) {
			return await context.getCredentials.call(this, type, index);
		},
		getWorkflowDataProxy: () => context.getWorkflowDataProxy(index),
	}) as unknown as IExecuteSingleFunctions;
}

/** An item, read through its context. @param context the item's own, see `contextOfItem`. @param parameters the declared ones */
export function itemOf(
	context: IExecuteSingleFunctions,
	parameters: readonly INodeProperties[],
	run: Run,
): Item {
	// A write is checked against the policy at the moment it is sent, so it never uses the shared credential.
	const own = run.isSequential
		? context
		: deriveContext(context, {
				getCredentials: async (type: string) => await run.credential.read(context, type),
			});
	return {
		index: context.getItemIndex(),
		context: own,
		read: parameterReader(own, parameters, run.fixedValues),
	};
}
