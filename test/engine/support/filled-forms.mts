/** Forms of the nodes in which each parameter in turn contains a text, and all others are usable. */
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	NodeParameterValueType,
} from 'n8n-workflow';

import { listOperations } from '../../support/operations.mts';
import { CONTRACT } from './scripted-world.mts';

const ARGUMENTS = ['bool yes', 'bytes data', 'string words', 'uint8[] list', '(uint8 x) pair'];
const FIELDS = ['yes (bool)', 'data (bytes)', 'words (string)', 'list (uint8[])', 'pair ((uint8))'];

/** Valid values for the other parameters, without which the one under test would not be read at all. */
export const USABLE: INodeParameters = {
	contractAddress: CONTRACT,
	token: CONTRACT,
	recipient: CONTRACT,
	amount: '1',
	pieceId: '1',
	userId: 'X-1',
	userIds: 'X-1',
	transactionHash: `0x${'1'.repeat(64)}`,
	threshold: '1',
	functionSource: 'signature',
	abi: `f(${ARGUMENTS.join(', ')}) returns (uint8)`,
	argumentsMode: 'json',
	args: '[true, "0x", "", [], [1]]',
	conditionValue: '1',
	options: { maxTries: 1 },
};

/** The values of a parameter that contain the text: as the whole value, as part of it, or in one of its entries. */
function filledWith(text: string, property: INodeProperties): NodeParameterValueType[] {
	const { type, typeOptions, options = [], modes = [], default: preset } = property;
	const inEntries = (entries: readonly INodeProperties[], others: object = {}) =>
		entries.flatMap((entry) =>
			filledWith(text, entry).map((value) => ({ ...others, [entry.name]: value })),
		);
	switch (type) {
		case 'notice':
			return [];
		case 'resourceLocator':
			return modes.map(({ name: mode }) => ({ __rl: true, mode, value: text }));
		case 'resourceMapper':
			return FIELDS.map((name) => {
				const others = { 'data (bytes)': '0x', 'words (string)': '', 'list (uint8[])': '[]' };
				return { mappingMode: 'defineBelow', value: { ...others, [name]: text } };
			});
		case 'collection':
			return inEntries(options as INodeProperties[], Object(preset));
		case 'fixedCollection':
			return (options as INodePropertyCollection[]).flatMap(({ name, values }) =>
				inEntries(values).map((group) => {
					return { [name]: typeOptions?.multipleValues === true ? [group] : group };
				}),
			);
		default:
			return [text];
	}
}

/** The choices that make the form show a parameter; an agent's tool has a separate form. */
function choicesFor({ displayOptions: { show = {} } = {} }: INodeProperties): INodeParameters[] {
	let choices: INodeParameters[] = [{}];
	for (const [name, values = []] of Object.entries(show)) {
		// A saved collection is shown because it is filled.
		if (/^[@/]/.test(name) || name === 'resource') continue;
		// Each operation reads its parameters separately; for other choices, the first is enough.
		const each = name === 'operation' ? values : values.slice(0, 1);
		choices = choices.flatMap((one) => each.map((value) => ({ ...one, [name]: value as string })));
	}
	return choices;
}

const operations = listOperations();
/** The resource of an operation that shows a parameter. */
const resourceOf = ({ displayOptions: { show } = {} }: INodeProperties, operation: unknown) =>
	operations
		.filter(({ resource: { value } }) => show?.resource?.includes(value) ?? true)
		.find((one) => one.operation.value === operation)?.resource.value ?? 'user';

/** A form of a node, and the parameter that contains a text. */
export interface FilledForm {
	readonly property: INodeProperties;
	readonly parameters: INodeParameters;
}

/** Forms of a node with these properties, each of which contains the text in one parameter. */
export function formsWith(text: string, properties: readonly INodeProperties[]): FilledForm[] {
	return properties.flatMap((property) => {
		const { name } = property;
		const values = filledWith(text, property);
		return choicesFor(property).flatMap((choices) => {
			const { operation } = choices;
			const needed = operation === 'find' && {
				options: { maxTries: 1, submittedAt: '2026-11-21T13:28:22Z' },
			};
			const mode = name === 'arguments' ? { argumentsMode: 'fields' } : {};
			const form = {
				...USABLE,
				resource: resourceOf(property, operation),
				...needed,
				...mode,
				...choices,
			};
			return values.map((value) => ({ property, parameters: { ...form, [name]: value } }));
		});
	});
}
