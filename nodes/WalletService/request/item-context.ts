import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * The node's context as one item has it. n8n's HTTP client takes the credential of item 0 for all items; a credential
 * with expressions can give each item a token of its own, and it has to be the one whose policy was checked.
 */
export function contextOfItem(context: IExecuteFunctions, itemIndex: number): IExecuteFunctions {
	return Object.create(context, {
		getCredentials: {
			value: async (type: string) => await context.getCredentials(type, itemIndex),
		},
	});
}
