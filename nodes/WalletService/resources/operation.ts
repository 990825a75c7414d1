import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import {
	savedOption,
	savedRetries,
	savedSetting,
	sendAgain,
	sender,
} from '../request/http/options';
import { choosable } from '../request/run/output';
import type { Planned } from '../request/run/plan';
import { onlyIfSaved } from '../request/run/stored-collections';
import { orderId, simplify } from './parameters';

/** One operation: its entry in the list, its route, input, output fields and plan. */
export interface Operation extends Omit<Planned, 'parameters'> {
	readonly option: Required<Pick<INodePropertyOptions, 'action' | 'description' | 'name'>> & {
		readonly value: string;
	};
	/** Input parameters, in the order of the form. */
	readonly input: readonly INodeProperties[];
	/** Its own entries of Options; unlike saved settings, they are read for each item. */
	readonly options?: INodeProperties[];
}

export interface Resource {
	readonly option: { readonly name: string; readonly value: string };
	readonly operations: readonly Operation[];
}

/** A resource with all parameters of its operations. */
export interface CompleteResource extends Resource {
	readonly operations: ReadonlyArray<Operation & Planned>;
}

/** Replaces Simplify if the node is a tool, because too many fields confuse a model. */
const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: "The service's JSON, unchanged" },
		{
			name: 'Selected Fields',
			value: 'fields',
			description: 'Only the fields you choose from the simplified version',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'A few readable fields, with exact amounts',
		},
	],
	default: 'simplified',
	description: 'How much of each answer the model receives',
	displayOptions: { show: { '@tool': [true] } },
};

const WORDS: Readonly<Record<string, string>> = { Id: 'ID', Src: 'Source', Url: 'URL' };

/** The display name of a field: `Explorer URL`. */
function fieldTitle(field: string): string {
	const words = field.replace(/^./, (letter) => letter.toUpperCase()).match(/[A-Z][a-z]*/g) ?? [];
	return words.map((word) => WORDS[word] ?? word).join(' ');
}

function fieldChoice(fields: readonly string[]): INodeProperties {
	const choices = choosable(fields).map((field) => ({ name: fieldTitle(field), value: field }));
	return {
		displayName: 'Fields',
		name: 'fields',
		type: 'multiOptions',
		options: choices.sort((one, other) => one.name.localeCompare(other.name)),
		default: [],
		required: true,
		description:
			'The fields that the model receives. The user ID, the hash of a write and all warnings are always included.',
		displayOptions: { show: { '@tool': [true], output: ['fields'] } },
	};
}

const savedOrderId = savedOption(
	orderId,
	'Saved by an earlier version of this node. It has the same effect as the field of this name, to which you can move it.',
	['write', 'send'],
);

/** The options of all operations in one collection, as n8n stores them. */
function optionsOf(resources: readonly Resource[]): INodeProperties {
	const own = resources.flatMap(({ option, operations }) => {
		const entries = new Set(operations.flatMap((one) => one.options ?? []));
		return [...entries].flatMap((entry) => {
			const having = operations.filter((one) => one.options?.includes(entry));
			const values = having.map((one) => one.option.value);
			const show = { '/resource': [option.value], '/operation': values };
			return updateDisplayOptions({ show }, [entry]);
		});
	});
	// Writes go out one at a time.
	const reads = resources.flatMap(({ operations }) =>
		operations.filter((one) => one.isSequential !== true).map((one) => one.option.value),
	);
	const writes = [savedOrderId, sendAgain, sender];
	const common = [savedSetting('concurrency', reads), ...savedRetries, ...writes];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...common, ...own].sort((one, other) =>
			one.displayName.localeCompare(other.displayName),
		),
	};
}

/** Adds the output parameters and the options below the input parameters of each operation. */
export function complete(resources: readonly Resource[]): CompleteResource[] {
	const options = optionsOf(resources);
	const saved = onlyIfSaved(options);
	const optionsFor = (one: Operation) => (one.options || one.isSequential ? options : saved);
	return resources.map((resource) => ({
		...resource,
		operations: resource.operations.map((one) => ({
			...one,
			parameters: [...one.input, simplify, output, fieldChoice(one.fields), optionsFor(one)],
		})),
	}));
}
