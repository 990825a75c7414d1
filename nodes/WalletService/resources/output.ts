import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Plan, Planned } from '../request/run/plan';
import type { ReadParameter } from '../request/run/read-parameter';
import { InvalidInputError } from '../values/invalid-input';
import { quote } from '../values/quote';
import { readOutput } from './answer-items';
import type { Operation } from './operation';
import { options, simplify } from './parameters';

/** What tells an item from others, and what no write may lose: these fields stand in every item that has them. */
const ALWAYS: ReadonlySet<string> = new Set(['hash', 'id', 'met', 'seen', 'submitted', 'userId']);

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
function titleOf(field: string): string {
	const words = field.replace(/^./, (letter) => letter.toUpperCase()).match(/[A-Z][a-z]*/g) ?? [];
	return words.map((word) => WORDS[word] ?? word).join(' ');
}

function choiceOf(fields: readonly string[]): INodeProperties {
	const choices: INodePropertyOptions[] = fields
		.filter((field) => !ALWAYS.has(field))
		.map((field) => ({ name: titleOf(field), value: field }));
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

function refuse(value: unknown, message: string, fields: readonly string[]): never {
	throw new InvalidInputError({
		parameter: 'fields',
		value,
		message,
		hint: `Choose among ${fields.join(', ')}, or choose Simplified under Output`,
	});
}

/**
 * The fields that an item's output leaves out: of those that the operation lists, the ones that are not chosen.
 *
 * @throws InvalidInputError for a field that is not listed, and when none is chosen.
 */
function readLeftOut(read: ReadParameter, fields: readonly string[]): ReadonlySet<string> {
	if (readOutput(read) !== 'fields') return new Set();
	const given = read('fields', '');
	const names: unknown[] = typeof given === 'string' ? given.split(/[,\s]+/) : [given].flat();
	const chosen = names.filter((name) => name !== '');
	if (chosen.length === 0) refuse(given, 'No field is chosen', fields);
	const odd = chosen.find((name) => !fields.some((field) => field === name));
	if (odd !== undefined) refuse(given, `${quote(odd)} is no field of this output`, fields);
	return new Set(fields.filter((field) => !ALWAYS.has(field) && !chosen.includes(field)));
}

function withoutFields(json: IDataObject, leftOut: ReadonlySet<string>): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([field]) => !leftOut.has(field)));
}

/** The plan, with the items reduced to the chosen fields. What the operation does not list, such as a warning, stays. */
function selecting(plan: Plan, fields: readonly string[]): Plan {
	return async (item, run, route) => {
		const leftOut = readLeftOut(item.read, fields);
		const planned = await plan(item, run, route);
		if (leftOut.size === 0) return planned;
		const send: typeof planned.send = async (client) =>
			(await planned.send(client)).map((json) => withoutFields(json, leftOut));
		return { ...planned, send };
	};
}

/** An operation with what shapes its output: the parameters for it, and a plan that does what they say. */
export function withOutput(operation: Operation): Operation & Planned {
	const { fields, plan } = operation;
	return {
		...operation,
		output: [simplify, output, choiceOf(fields), options],
		plan: selecting(plan, fields),
	};
}
