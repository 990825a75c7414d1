/** The documents name every parameter of the nodes and credentials, as n8n shows it, and no other. */
import './support/environment.mts';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Document } from '../support/docs/documents.mts';
import { readDocument, readDocuments, sectionOf } from '../support/docs/documents.mts';
import type { TableRow } from '../support/docs/markdown.mts';
import { nodesOf, rowsOf, textOf } from '../support/docs/markdown.mts';
import { listOperations } from '../support/operations.mts';
import { LoadedNodeTypes } from './support/node-types.mts';

/** What a document and a node have to agree on. */
interface Parameter {
	readonly name: string;
	readonly default: string;
	/** Names of the values to choose from. */
	readonly choices: readonly string[];
}

/** Lists that are too long for a table's cell have a table of their own. */
const MAX_CHOICES = 5;

let nodeTypes: LoadedNodeTypes;
let resources: Document[];
let common: Document;

beforeAll(async () => {
	nodeTypes = await LoadedNodeTypes.load();
	resources = await readDocuments('docs/resources/*.md');
	common = await readDocument('docs/resources/common.md');
});

/** The parameters of a node that its form shows, without notices and those that n8n adds: poll times, and what it puts on the Settings tab. */
function propertiesOf(node: string): INodeProperties[] {
	const { description } = nodeTypes.getByNameAndVersion(`n8n-nodes-wallet-service.${node}`);
	return description.properties.filter(
		({ name, type, isNodeSetting }) =>
			isNodeSetting !== true && name !== 'pollTimes' && type !== 'notice' && type !== 'hidden',
	);
}

function propertyOf(properties: readonly INodeProperties[], name: string): INodeProperties {
	const property = properties.find((one) => one.name === name);
	if (property === undefined) throw new Error(`There is no parameter ${name}`);
	return property;
}

function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return type === 'options' ? options.filter((option) => 'value' in option) : [];
}

/** The fields of a collection, such as Options. */
function fieldsOf({ options = [] }: INodeProperties): INodeProperties[] {
	return options
		.filter((option) => 'displayName' in option && 'type' in option)
		.filter(({ type }) => type !== 'hidden');
}

function defaultOf(property: INodeProperties): string {
	const { default: value } = property;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	// A locator can be filled in beforehand.
	const filled =
		typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
	if (typeof filled === 'string' && filled.startsWith('=')) return filled.slice(1);
	if (typeof value === 'object') return 'none';
	if (value === '' || value === undefined) return 'empty';
	return choicesOf(property).find((choice) => choice.value === value)?.name ?? String(value);
}

/** n8n leaves the words out that its lint demands of a dynamic list. */
const shownName = (name: string): string => name.replace(/ Name or ID$/, '');

function expected(property: INodeProperties): Parameter {
	const choices = choicesOf(property).map(({ name }) => name);
	return {
		name: shownName(property.displayName),
		default: defaultOf(property),
		choices: choices.length > MAX_CHOICES ? [] : choices.sort(),
	};
}

function documented(row: TableRow, column: string): Parameter {
	const { [column]: name, 'What it does': effect, 'What to enter': meaning = effect } = row;
	const { Default: fallback } = row;
	const italics = meaning === undefined ? [] : nodesOf(meaning, 'emphasis').map(textOf);
	return {
		name: name === undefined ? '' : textOf(name),
		default: fallback === undefined ? '' : textOf(fallback),
		choices: italics,
	};
}

const sorted = (list: Parameter[]): Parameter[] =>
	list.sort((one, other) =>
		`${one.name} ${one.default}`.localeCompare(`${other.name} ${other.default}`),
	);

/** Compares tables with parameters; only a parameter with choices has to have its italics in order. */
function compare(
	rows: readonly TableRow[],
	column: string,
	properties: readonly INodeProperties[],
) {
	const wanted = sorted(properties.map(expected));
	const found = sorted(rows.map((row) => documented(row, column)));
	expect(found.map(({ name, default: value }) => [name, value])).toEqual(
		wanted.map(({ name, default: value }) => [name, value]),
	);
	for (const [index, { name, choices }] of wanted.entries()) {
		if (choices.length === 0) continue;
		expect([name, [...(found[index]?.choices ?? [])].sort()]).toEqual([name, choices]);
	}
}

const isShown = (
	{ displayOptions }: INodeProperties,
	resource: string,
	operation: string,
): boolean =>
	[
		['resource', resource],
		['operation', operation],
	].every(([name = '', value = '']) => displayOptions?.show?.[name]?.includes(value) ?? true);

/** Whether the title of a section names an operation: `Contract: Read, Write`. */
function isAbout(title: string, resource: string, operation: string): boolean {
	const [name, operations = ''] = title.split(': ');
	return name === resource && operations.split(', ').includes(operation);
}

function rowsOfOperation(resource: string, operation: string): TableRow[] {
	const own = resources.flatMap(({ sections }) =>
		sections.filter(({ title }) => isAbout(title, resource, operation)),
	);
	return [sectionOf(common, 'Every operation'), ...own].flatMap((one) => rowsOf(one, 'Parameter'));
}

const operations = listOperations().map((one) => [one.title, one] as const);

test.each(operations)('%s is documented with each of its parameters', (_title, one) => {
	const { resource, operation } = one;
	const properties = propertiesOf('walletService');
	const place = [String(resource.value), String(operation.value)] as const;
	// Each resource has a list of operations of its own; one row stands for them all.
	const shown = properties.filter((one) => one.name !== 'operation' && isShown(one, ...place));
	const rows = rowsOfOperation(resource.name, operation.name);
	const isOperation = (row: TableRow) => documented(row, 'Parameter').name === 'Operation';
	expect(rows.filter(isOperation)).toHaveLength(1);
	compare(
		rows.filter((row) => !isOperation(row)),
		'Parameter',
		shown,
	);
});

test('README lists every operation, and no other', async () => {
	const rows = rowsOf(sectionOf(await readDocument('README.md'), 'Operations'), 'Operation');
	const listed = rows.map(({ Operation: cell }) => cell && textOf(cell));
	const own = listOperations().map(
		({ resource, operation }) => `${resource.name}: ${operation.name}`,
	);
	expect(listed.toSorted()).toEqual(own.toSorted());
});

test('the options of the node', () => {
	const { [0]: options } = propertiesOf('walletService').filter(({ name }) => name === 'options');
	const rows = rowsOf(sectionOf(common, 'Options'), 'Option');
	compare(rows, 'Option', options ? fieldsOf(options) : []);
});

test('the fields of Wait Until', async () => {
	const contract = await readDocument('docs/resources/contract.md');
	const options = fieldsOf(propertyOf(propertiesOf('walletService'), 'options'));
	const [group] = propertyOf(options, 'waitUntil').options ?? [];
	const fields = group !== undefined && 'values' in group ? group.values : [];
	expect(fields).toHaveLength(4);
	const section = sectionOf(contract, 'Waiting until a value is as it should be');
	compare(rowsOf(section, 'Field of Wait Until'), 'Field of Wait Until', fields);
});

test('the filters of History', async () => {
	const history = await readDocument('docs/resources/history.md');
	const filters = propertyOf(propertiesOf('walletService'), 'filters');
	compare(rowsOf(sectionOf(history, 'Filters'), 'Filter'), 'Filter', fieldsOf(filters));
});

test('the trigger and its options', async () => {
	const trigger = await readDocument('docs/trigger.md');
	const properties = propertiesOf('walletServiceTrigger');
	compare(rowsOf(sectionOf(trigger, 'Parameters'), 'Parameter'), 'Parameter', properties);
	const options = fieldsOf(propertyOf(properties, 'options'));
	compare(rowsOf(sectionOf(trigger, 'Options'), 'Option'), 'Option', options);
});

test.each([
	['walletServiceApi', 'Wallet Service API'],
	['walletServiceOAuth2Api', 'Wallet Service OAuth2 API'],
])('the credential %s', async (name, title) => {
	const credentials = await readDocument('docs/resources/credentials.md');
	const { displayName, properties } = nodeTypes.credentialType(name);
	expect(displayName).toBe(title);
	const rows = ['Both credentials', title, 'Spending Limits'].flatMap((section) =>
		rowsOf(sectionOf(credentials, section), 'Field'),
	);
	compare(
		rows,
		'Field',
		properties.filter(({ type }) => type !== 'hidden' && type !== 'notice'),
	);
});

test('the common functions', async () => {
	const contract = await readDocument('docs/resources/contract.md');
	const rows = rowsOf(sectionOf(contract, 'Common functions'), 'Common Function');
	const found = rows.map((row) => Object.values(row).map(textOf));
	const wanted = ['Read', 'Write'].flatMap((operation) => {
		const list = propertyOf(propertiesOf('walletService'), `${operation.toLowerCase()}Function`);
		return choicesOf(list).map(({ name, value, description }) => [
			name,
			value,
			operation,
			description,
		]);
	});
	expect(found.sort()).toEqual(wanted.sort());
});
