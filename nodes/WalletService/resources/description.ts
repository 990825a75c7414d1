import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import type { CustomOperation } from '../request/run/execute';
import { executeItems, routeItem } from '../request/run/execute';
import { asStored } from '../request/run/stored-collections';
import type { CompleteResource, Resource } from './operation';

/** The Operation parameter of a resource, with the entries that n8n's own routing needs. */
function operationList(resource: CompleteResource): INodeProperties {
	const { option, operations } = resource;
	const defaultOperation = operations[0]?.option.value ?? '';
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map(
			(operation): INodePropertyOptions => ({
				...operation.option,
				routing: {
					request: { ...operation.route },
					send: { paginate: true },
					operations: { pagination: routeItem(operation) },
				},
			}),
		),
		default: defaultOperation,
	};
}

/** An expression for the node's subtitle: the action of the selected operation. */
export function subtitleOf(resources: readonly Resource[]): string {
	const words = resources.flatMap(({ option, operations }) =>
		operations.map((one) => [`${option.value} ${one.option.value}`, one.option.action] as const),
	);
	const chosen = '$parameter["resource"] + " " + $parameter["operation"]';
	return `={{ (${JSON.stringify(Object.fromEntries(words))})[${chosen}] }}`;
}

/** The function that n8n runs for each operation, by resource and operation value. */
export function customOperationsOf(
	resources: readonly CompleteResource[],
): Record<string, Record<string, CustomOperation>> {
	return Object.fromEntries(
		resources.map(({ option, operations }) => [
			option.value,
			Object.fromEntries(operations.map((one) => [one.option.value, executeItems(one)])),
		]),
	);
}

/**
 * Merges lists of parameters without duplicates. A parameter that only a later list contains is inserted before its
 * successor in that list.
 */
function inOrder(lists: ReadonlyArray<readonly INodeProperties[]>): INodeProperties[] {
	const ordered: INodeProperties[] = [];
	for (const list of lists) {
		for (const [index, parameter] of list.entries()) {
			if (ordered.includes(parameter)) continue;
			const next = list.slice(index + 1).find((one) => ordered.includes(one));
			ordered.splice(next === undefined ? ordered.length : ordered.indexOf(next), 0, parameter);
		}
	}
	return ordered;
}

/** The display rule of a parameter. n8n shows it for every combination of the listed resources and operations. */
function shownAt(
	parameter: INodeProperties,
	resources: readonly CompleteResource[],
): IDisplayOptions {
	const all = resources.flatMap(({ option, operations }) =>
		operations.map((one) => ({
			resource: option.value,
			operation: one.option.value,
			isListed: one.parameters.includes(parameter),
		})),
	);
	const listed = all.filter(({ isListed }) => isListed);
	const show = {
		resource: [...new Set(listed.map(({ resource }) => resource))],
		operation: [...new Set(listed.map(({ operation }) => operation))],
	};
	for (const { resource, operation, isListed } of all) {
		const isShown = show.resource.includes(resource) && show.operation.includes(operation);
		if (isListed || !isShown) continue;
		throw new Error(`${parameter.name} would be shown in ${resource}: ${operation} as well`);
	}
	return { show };
}

/**
 * Assembles the node's parameters: the list of resources, the operations of each, and every input parameter once, shown
 * for the operations that list it. Copies would cost time per item and could diverge.
 */
export function assembleProperties(resources: readonly CompleteResource[]): INodeProperties[] {
	const lists = resources.flatMap(({ operations }) => operations.map((one) => one.parameters));
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option),
			default: 'balance',
		},
		...resources.map(operationList),
		...inOrder(lists)
			.flatMap((one) => updateDisplayOptions(shownAt(one, resources), [one]))
			.flatMap((one) => (one.type === 'collection' ? [one, asStored(one)] : [one])),
	];
}
