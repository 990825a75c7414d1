import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { choosable } from '../request/run/output';
import type { Planned } from '../request/run/plan';
import { nodeOptions, simplify } from './parameters';

/** One operation: its entry in the list, its route, what the user fills in, the fields of its output, and its plan. */
export interface Operation extends Omit<Planned, 'parameters'> {
	readonly option: Required<Pick<INodePropertyOptions, 'action' | 'description' | 'name'>> & {
		readonly value: string;
	};
	/** What the user fills in, in the order of the form. */
	readonly input: readonly INodeProperties[];
}

export interface Resource {
	readonly option: { readonly name: string; readonly value: string };
	readonly operations: readonly Operation[];
}

/** A resource whose operations have all parameters of their forms. */
export interface CompleteResource extends Resource {
	readonly operations: ReadonlyArray<Operation & Planned>;
}

/** In place of Simplify where the node is a tool: too many fields fill the memory of a model, and confuse it. */
const output: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: 'The JSON of the service as it came' },
		{
			name: 'Selected Fields',
			value: 'fields',
			description: 'Some fields of the simplified version',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'A few fields that a person can read, with exact amounts',
		},
	],
	default: 'simplified',
	description: 'What the model gets of each answer',
	displayOptions: { show: { '@tool': [true] } },
};

const WORDS: Readonly<Record<string, string>> = { Id: 'ID', Src: 'Source', Url: 'URL' };

/** The name of a field as a person reads it: `Explorer URL`. */
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
			'The fields to give to the model. Whose item it is, and of a write its hash and every warning, are always there.',
		displayOptions: { show: { '@tool': [true], output: ['fields'] } },
	};
}

/** A resource with what shapes the output of its operations, below all that the user fills in. */
export function complete(resource: Resource): CompleteResource {
	const operations = resource.operations.map((one) => ({
		...one,
		parameters: [...one.input, simplify, output, fieldChoice(one.fields), nodeOptions],
	}));
	return { ...resource, operations };
}
