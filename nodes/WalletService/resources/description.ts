import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { CustomOperation } from '../request/run/execute';
import { executeItems } from '../request/run/execute';
import { routeItem } from '../request/run/n8n-routing';
import type { Operation, Resource } from './operation';
import { withOutput } from './output';

/** The entry of an operation, with what n8n's own routing needs. */
function optionOf(operation: Operation): INodePropertyOptions {
	const { option, route } = operation;
	return {
		...option,
		routing: {
			request: { ...route },
			send: { paginate: true },
			operations: { pagination: routeItem(withOutput(operation)) },
		},
	};
}

/** The parameter that chooses the operation of a resource. */
export function operationList({ option, defaultOperation, operations }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map(optionOf),
		default: defaultOperation,
	};
}

/**
 * The expression for the line below a node's name: what it does, in the words of the list of actions.
 */
export function subtitleOf(resources: readonly Resource[]): string {
	const words = resources.flatMap(({ option, operations }) =>
		operations.map((one) => [`${option.value} ${one.option.value}`, one.option.action] as const),
	);
	const chosen = '$parameter["resource"] + " " + $parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(words))})[${chosen}] }}`;
}

/** How n8n runs each operation, by the value of its resource and its own. */
export function customOperationsOf(
	resources: readonly Resource[],
): Record<string, Record<string, CustomOperation>> {
	return Object.fromEntries(
		resources.map(({ option, operations }) => [
			option.value,
			Object.fromEntries(
				operations.map((one) => [one.option.value, executeItems(withOutput(one))]),
			),
		]),
	);
}
