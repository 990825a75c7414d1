/** The documents name every parameter of the nodes and credentials, as n8n shows it, and no others. */
import './support/environment.mts';

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Document } from '../support/docs/documents.mts';
import { readDocument, readDocuments, sectionOf } from '../support/docs/documents.mts';
import type { TableRow } from '../support/docs/markdown.mts';
import { nodesOf, rowsOf, textOf } from '../support/docs/markdown.mts';
import { listOperations } from '../support/operations.mts';
import { useNodeTypes } from './support/node-types.mts';

/** Maximum number of choices in a table cell; longer lists have their own table. */
const MAX_CHOICES = 5;
const RESOURCES = 'docs/resources';

const nodeTypes = useNodeTypes();
let resources: Document[];
beforeAll(async () => (resources = await readDocuments(`${RESOURCES}/*.md`)));

/** Whether only workflows of an earlier version have it. */
const isOld = ({
	name,
	type,
	displayOptions: { show = {}, hide = {} } = {},
}: INodeProperties): boolean =>
	show['@version']?.includes(1) === true ||
	`/options.${name}` in show ||
	`/options.${name}` in hide ||
	// An entry of Options can depend on a parameter of the same name.
	(type !== 'collection' && !('/operation' in show) && `/${name}` in hide);

/** Whether a collection offers nothing. */
const isEmpty = ({ name, displayOptions: { show = {} } = {} }: INodeProperties): boolean =>
	`/${name}` in show;

/** The parameters in a new node's form, except notices and the parameters that n8n adds (poll times, Settings tab). */
function propertiesOf(node: string): INodeProperties[] {
	const { description } = nodeTypes().getByNameAndVersion(`n8n-nodes-wallet-service.${node}`);
	return description.properties.filter(
		(one) =>
			one.isNodeSetting !== true &&
			one.name !== 'pollTimes' &&
			!['notice', 'hidden'].includes(one.type) &&
			!isOld(one),
	);
}

function propertyOf(properties: readonly INodeProperties[], name: string): INodeProperties {
	const property = properties.find((one) => one.name === name);
	if (property === undefined) throw new Error(`There is no parameter ${name}`);
	return property;
}

const choicesOf = ({ type, options = [] }: INodeProperties): INodePropertyOptions[] =>
	type === 'options' ? options.filter((option) => 'value' in option) : [];

/** The fields of a collection of the node, such as Options. */
function fieldsOf(name: string, node = 'walletService'): INodeProperties[] {
	const { options = [] } = propertyOf(propertiesOf(node), name);
	return options
		.filter((option) => 'displayName' in option && 'type' in option)
		.filter((one) => one.type !== 'hidden' && !isOld(one));
}

function defaultOf(property: INodeProperties): string {
	const { default: value } = property;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	// A locator can be prefilled.
	const isFilled = typeof value === 'object' && value !== null && 'value' in value;
	const filled = isFilled ? value.value : value;
	if (typeof filled === 'string' && filled.startsWith('=')) return filled.slice(1);
	if (typeof value === 'object') return 'none';
	if (value === '' || value === undefined) return 'empty';
	return choicesOf(property).find((choice) => choice.value === value)?.name ?? String(value);
}

/** The facts on which a document and a node must agree: name, default, and the choices of a short list. */
type Parameter = readonly [name: string, fallback: string, choices: readonly string[]];

function expected(property: INodeProperties): Parameter {
	const choices = choicesOf(property).map(({ name }) => name);
	// n8n omits the words that its lint rules require for a dynamic list.
	const name = property.displayName.replace(/ Name or ID$/, '');
	return [name, defaultOf(property), choices.length > MAX_CHOICES ? [] : choices.sort()];
}

const cellText = (cell: TableRow[string] | undefined): string => (cell ? textOf(cell) : '');

const sorted = (list: Parameter[]): Parameter[] =>
	list.sort(([...one], [...other]) => one.join().localeCompare(other.join()));

/** Compares tables with parameters; italics count only where a parameter has choices. */
function compare(rows: readonly TableRow[], column: string, properties: INodeProperties[]): void {
	const wanted = sorted(properties.map(expected));
	const found = rows.map((row): Parameter => {
		const { 'What it does': effect, 'What to enter': meaning = effect } = row;
		const [name, fallback] = [cellText(row[column]), cellText(row.Default)];
		const same = wanted.filter((one) => one[0] === name && one[1] === fallback);
		const italics = meaning ? nodesOf(meaning, 'emphasis').map(textOf).sort() : [];
		return [name, fallback, same.some(([, , choices]) => choices.length > 0) ? italics : []];
	});
	expect(sorted(found)).toEqual(wanted);
}

const operations = listOperations().map((one) => [one.title, one] as const);

test.each(operations)('%s is documented with each of its parameters', async (_title, one) => {
	const { resource, operation } = one;
	// A section can be about several operations: `Contract: Read, Write`.
	const own = resources.flatMap(({ sections }) =>
		sections.filter(({ title }) => {
			const [name, names = ''] = title.split(': ');
			return name === resource.name && names.split(', ').includes(operation.name);
		}),
	);
	const common = sectionOf(await readDocument(`${RESOURCES}/common.md`), 'Every operation');
	const rows = [common, ...own].flatMap((section) => rowsOf(section, 'Parameter'));
	// Each resource has its own list of operations; one row represents them all.
	const others = rows.filter((row) => cellText(row.Parameter) !== 'Operation');
	expect(others).toHaveLength(rows.length - 1);
	const shown = propertiesOf('walletService').filter(({ name, displayOptions: { show } = {} }) => {
		const isFor = (by: string, { value }: INodePropertyOptions) =>
			show?.[by]?.includes(value) ?? true;
		return name !== 'operation' && isFor('resource', resource) && isFor('operation', operation);
	});
	compare(others, 'Parameter', shown);
});

test('README lists every operation, and no other', async () => {
	const rows = rowsOf(sectionOf(await readDocument('README.md'), 'Operations'), 'Operation');
	const listed = rows.map(({ Operation: cell }) => cellText(cell));
	expect(listed.sort()).toEqual(operations.map(([title]) => title).sort());
});

const WAITING = 'Waiting until a value is as it should be';
const CREDENTIALS = `${RESOURCES}/credentials.md`;
const BOTH = 'Both credentials';
const API = 'Wallet Service API';
const OAUTH2 = 'Wallet Service OAuth2 API';
const LIMITS = 'Spending Limits';
const CONNECTION = 'Connection';

/** The fields of Wait Until, which form a single group. */
function waitFields(): INodeProperties[] {
	const [group] = propertyOf(fieldsOf('options'), 'waitUntil').options ?? [];
	return group !== undefined && 'values' in group ? group.values : [];
}

const triggerParameters = (): INodeProperties[] =>
	propertiesOf('walletServiceTrigger').filter((one) => !isEmpty(one));

/** The fields of the credentials' section Connection. */
function connectionFields(): INodeProperties[] {
	const [group] = propertyOf(credentialFields(API), 'connection').options ?? [];
	return group !== undefined && 'values' in group ? group.values : [];
}

/** The fields of a credential, by its title. */
function credentialFields(title: string): INodeProperties[] {
	const name = title === API ? 'walletServiceApi' : 'walletServiceOAuth2Api';
	const { displayName, properties } = nodeTypes().credentialType(name);
	expect(displayName).toBe(title);
	return properties.filter(({ type }) => type !== 'hidden' && type !== 'notice');
}

test.each<[document: string, column: string, sections: string[], () => INodeProperties[]]>([
	[`${RESOURCES}/common.md`, 'Option', ['Options'], () => fieldsOf('options')],
	[`${RESOURCES}/contract.md`, 'Field of Wait Until', [WAITING], waitFields],
	[`${RESOURCES}/history.md`, 'Filter', ['Filters'], () => fieldsOf('filters')],
	['docs/trigger.md', 'Parameter', ['Parameters'], triggerParameters],
	['docs/trigger.md', 'Option', ['Options'], () => fieldsOf('options', 'walletServiceTrigger')],
	[CREDENTIALS, 'Field of Connection', [CONNECTION], connectionFields],
	[CREDENTIALS, 'Field', [BOTH, API, LIMITS], () => credentialFields(API)],
	[CREDENTIALS, 'Field', [BOTH, OAUTH2, LIMITS], () => credentialFields(OAUTH2)],
])('%s: every %s of %j', async (path, column, sections, properties) => {
	const document = await readDocument(path);
	const rows = sections.flatMap((section) => rowsOf(sectionOf(document, section), column));
	const wanted = properties();
	expect(wanted.length).toBeGreaterThan(1);
	compare(rows, column, wanted);
});

test('the common functions', async () => {
	const contract = await readDocument(`${RESOURCES}/contract.md`);
	const rows = rowsOf(sectionOf(contract, 'Common functions'), 'Common Function');
	const wanted = ['Read', 'Write'].flatMap((operation) => {
		const list = propertyOf(propertiesOf('walletService'), `${operation.toLowerCase()}Function`);
		return choicesOf(list).map(({ name, value, description }) => [
			...[name, value, operation, description],
		]);
	});
	expect(rows.map((row) => Object.values(row).map(textOf)).sort()).toEqual(wanted.sort());
});
