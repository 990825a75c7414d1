import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { operationList } from './description';
import type { Resource } from './operation';

interface Place {
	readonly resource: string;
	readonly operation: string;
}

/** Every parameter once, with the places that show it. */
function placesByParameter(
	resources: readonly Resource[],
	part: 'input' | 'output',
): Map<INodeProperties, Place[]> {
	const places = new Map<INodeProperties, Place[]>();
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
	const inputs = placesByParameter(resources, 'input');
	const outputs = placesByParameter(resources, 'output');
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources.map(({ option }) => option),
			default: 'user',
		},
		...resources.map(operationList),
		...[...inputs, ...outputs].flatMap(([parameter, places]) =>
			updateDisplayOptions(shownAt(parameter, places, resources), [parameter]),
		),
	];
}
