import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { WalletService } from '../../nodes/WalletService/WalletService.node.ts';

/** An operation of the node, as the node's description lists it. */
interface ListedOperation {
	readonly resource: INodePropertyOptions;
	readonly operation: INodePropertyOptions;
	/** For example `History: Get Many`. */
	readonly title: string;
	readonly method: string;
	/** The path as the interface writes it, with `:names`. */
	readonly url: string;
}

const choicesOf = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option) => 'value' in option);

/** Every operation of the node, in the order of its lists. */
export function listOperations(): ListedOperation[] {
	const { properties } = new WalletService().description;
	const resources = properties.filter(({ name }) => name === 'resource').flatMap(choicesOf);
	return properties
		.filter(({ name }) => name === 'operation')
		.flatMap((list) => {
			const shownFor = list.displayOptions?.show?.resource ?? [];
			const resource = resources.find(({ value }) => shownFor.includes(value));
			if (resource === undefined) throw new Error('A list of operations belongs to no resource');
			return choicesOf(list).map((operation) => {
				const { method, url } = operation.routing?.request ?? {};
				const title = `${resource.name}: ${operation.name}`;
				return { resource, operation, title, method: String(method), url: String(url) };
			});
		});
}
