import type {
	IDisplayOptions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { toNodeError } from '../request/failure/node-error';
import type { CustomOperation } from '../request/run/execute';
import { executeItems, routeItem } from '../request/run/execute';
import { asStored } from '../request/run/stored-collections';
import { isTool } from '../request/run/tool-call';
import { parseChoice } from '../values/choice';
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

/** Has no inherited members, such as `toString`, which n8n would run for an operation of that name. */
const lookUpBy = <T>(entries: ReadonlyArray<readonly [name: string, value: T]>) =>
	Object.setPrototypeOf(Object.fromEntries(entries), null) as Record<string, T>;

/** The function that n8n runs for each operation, by resource and operation value. */
export function customOperationsOf(
	resources: readonly CompleteResource[],
): Record<string, Record<string, CustomOperation>> {
	return lookUpBy(
		resources.map(({ option, operations }) => [
			option.value,
			lookUpBy(operations.map((one) => [one.option.value, executeItems(one)])),
		]),
	);
}

/**
 * Makes a function that refuses a resource or an operation that the node does not have, as an edited workflow can name:
 * n8n's own routing would send a request without an address.
 */
function refuseUnknown(resources: readonly CompleteResource[], parameters: INodeProperties[]) {
	return async function (this: IExecuteSingleFunctions, request: IHttpRequestOptions) {
		const node = this.getNode();
		const { resource, operation } = node.parameters;
		const valuesOf = (list: ReadonlyArray<Pick<Resource, 'option'>>) =>
			list.map(({ option }) => option.value);
		try {
			parseChoice(resource, valuesOf(resources), 'resource');
			const { operations = [] } = resources.find(({ option }) => option.value === resource) ?? {};
			parseChoice(operation, valuesOf(operations), 'operation');
			return request;
		} catch (error) {
			const itemIndex = this.getItemIndex();
			throw toNodeError(error, { node, parameters, itemIndex, isTool: isTool(this) });
		}
	};
}

/** Merges lists of parameters without duplicates, so that each keeps its order. @throws Error if two orders contradict each other */
function inOrder(lists: ReadonlyArray<readonly INodeProperties[]>): INodeProperties[] {
	const left = new Set(lists.flat());
	const isNext = (parameter: INodeProperties) =>
		lists.every((list) => {
			const first = list.find((one) => left.has(one));
			return first === parameter || !list.includes(parameter);
		});
	const ordered: INodeProperties[] = [];
	while (left.size > 0) {
		const next = [...left].find(isNext);
		if (next === undefined) throw new Error('Two operations order their parameters differently');
		ordered.push(next);
		left.delete(next);
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
	const resourceList: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ option }) => option),
		default: 'balance',
	};
	const operationLists = resources.map(operationList);
	const refuse = refuseUnknown(resources, [resourceList, ...operationLists]);
	return [
		{ ...resourceList, routing: { send: { preSend: [refuse] } } },
		...operationLists,
		...inOrder(lists)
			.flatMap((one) => updateDisplayOptions(shownAt(one, resources), [one]))
			.flatMap((one) => (one.type === 'collection' ? [one, asStored(one)] : [one])),
	];
}
