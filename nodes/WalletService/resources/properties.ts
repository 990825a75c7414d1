import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { asStored } from '../request/run/stored-collections';
import { operationList } from './description';
import type { Resource } from './operation';
import { withOutput } from './output';

/** A resource whose operations are complete. */
interface CompleteResource extends Resource {
	readonly operations: ReadonlyArray<ReturnType<typeof withOutput>>;
}

interface Place {
	readonly resource: string;
	readonly operation: string;
}

/**
 * Every parameter once, in an order that is that of each operation as far as these agree: one that only a later operation
 * has comes before what follows it there.
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

/** Every parameter once, with the places that show it. */
function placesByParameter(
	resources: readonly CompleteResource[],
	part: 'input' | 'output',
): Map<INodeProperties, Place[]> {
	const lists = resources.flatMap(({ operations }) => operations.map((one) => one[part]));
	const places = new Map<INodeProperties, Place[]>(inOrder(lists).map((one) => [one, []]));
	for (const resource of resources) {
		for (const operation of resource.operations) {
			for (const parameter of operation[part]) {
				const known = places.get(parameter) ?? [];
				known.push({
					resource: resource.option.value,
					operation: operation.option.value,
				});
				places.set(parameter, known);
			}
		}
	}
	return places;
}

const unique = (values: string[]): string[] => [...new Set(values)];

/**
 * Where a parameter is shown. n8n shows it for every combination of the two lists.
 *
 * @throws Error when one of these combinations is an operation that does not list the parameter
 */
function shownAt(
	{ name }: INodeProperties,
	places: readonly Place[],
	resources: readonly Resource[],
): IDisplayOptions {
	const shown = {
		resource: unique(places.map(({ resource }) => resource)),
		operation: unique(places.map(({ operation }) => operation)),
	};
	for (const { option, operations } of resources) {
		for (const { option: operation } of operations) {
			const isListed = places.some(
				(place) => place.resource === option.value && place.operation === operation.value,
			);
			const isShown =
				shown.resource.includes(option.value) && shown.operation.includes(operation.value);
			if (isShown && !isListed) {
				throw new Error(`${name} would be shown in ${option.value}: ${operation.value} as well`);
			}
		}
	}
	return { show: shown };
}

/**
 * The node's parameters: the list of resources, the operations of each, and every parameter ONCE, shown where an
 * operation names it. Each copy of a parameter would cost time per item, and copies could diverge.
 */
export function assembleProperties(resources: readonly Resource[]): INodeProperties[] {
	const complete = resources.map((one) => ({ ...one, operations: one.operations.map(withOutput) }));
	const inputs = placesByParameter(complete, 'input');
	const outputs = placesByParameter(complete, 'output');
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
		...[...inputs, ...outputs]
			.flatMap(([parameter, places]) =>
				updateDisplayOptions(shownAt(parameter, places, resources), [parameter]),
			)
			.flatMap((one) => (one.type === 'collection' ? [one, asStored(one)] : [one])),
	];
}
