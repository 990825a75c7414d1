import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IGetNodeParameterOptions,
} from 'n8n-workflow';

import { deriveContext } from '../credential/derive-context';
import type { ReadParameter } from './read-parameter';
import { parameterReader } from './read-parameter';
import type { Run } from './run';

/** One item's own view of n8n, derived once and never changed. */
export interface Item {
	/** From 0. */
	readonly index: number;
	/** Parameters and credential are the item's own; the credential is the run's where items cannot differ in it. */
	readonly context: IExecuteSingleFunctions;
	readonly read: ReadParameter;
}

/**
 * The node's context as one item has it, the way n8n's own routing makes it. n8n's HTTP client would take the credential of
 * item 0 for all items; a credential with expressions can give each item a token of its own.
 */
export function contextOfItem(context: IExecuteFunctions, index: number): IExecuteSingleFunctions {
	return deriveContext(context, {
		getItemIndex: () => index,
		getInputData: (...input: Parameters<IExecuteFunctions['getInputData']>) =>
			context.getInputData(...input)[index],
		getNodeParameter: (name: string, fallback: unknown, options?: IGetNodeParameterOptions) =>
			context.getNodeParameter(name, index, fallback, options),
		// Called on the object that it is found on, because what a context is derived from can be watched.
		async getCredentials(this: IExecuteFunctions, type: string) {
			return await context.getCredentials.call(this, type, index);
		},
		getWorkflowDataProxy: () => context.getWorkflowDataProxy(index),
	}) as unknown as IExecuteSingleFunctions;
}

/** @param context the item's own, see {@link contextOfItem} */
export function itemOf(context: IExecuteSingleFunctions, run: Run): Item {
	// A write is checked against the policy as it is when the write leaves.
	const own = run.isSequential
		? context
		: deriveContext(context, {
				getCredentials: async (type: string) => await run.credential.read(context, type),
			});
	return { index: context.getItemIndex(), context: own, read: parameterReader(own) };
}
