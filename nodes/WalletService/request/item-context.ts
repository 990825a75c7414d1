import type {
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IGetNodeParameterOptions,
} from 'n8n-workflow';

/**
 * The node's context as one item has it, the way n8n's routing hands it to `preSend` and `postReceive`: parameters and
 * credential are the item's own. n8n's HTTP client would take the credential of item 0 for all items; a credential
 * with expressions can give each item a token of its own.
 */
export function contextOfItem(
	context: IExecuteFunctions,
	itemIndex: number,
): IExecuteSingleFunctions {
	const ofItem: IExecuteSingleFunctions = Object.create(context);
	return Object.assign(ofItem, {
		getItemIndex: () => itemIndex,
		getInputData: (...input: Parameters<IExecuteFunctions['getInputData']>) =>
			context.getInputData(...input)[itemIndex],
		getNodeParameter: (name: string, fallback: unknown, options?: IGetNodeParameterOptions) =>
			context.getNodeParameter(name, itemIndex, fallback, options),
		// Called on the object that it is found on, because what a context is derived from can be watched.
		async getCredentials(this: IExecuteFunctions, type: string) {
			return await context.getCredentials.call(this, type, itemIndex);
		},
		getWorkflowDataProxy: () => context.getWorkflowDataProxy(itemIndex),
	});
}
