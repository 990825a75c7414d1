/**
 * The schemas that n8n shows for an output before the node has run are derived from the documents. `UPDATE_SCHEMAS=1`
 * regenerates them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { readObject } from '../../../tools/files/json.mts';
import { root } from '../../../tools/files/paths.mts';
import { resources } from '../../../nodes/WalletService/resources/index.ts';
import type { Operation } from '../../../nodes/WalletService/resources/operation.ts';
import { projectFiles, readDocuments, readProjectFile } from '../../support/docs/documents.mts';
import type { Section, TableRow } from '../../support/docs/markdown.mts';
import { codesIn, jsonBlocks, rowsOf } from '../../support/docs/markdown.mts';

const SCHEMA_FOLDER = 'nodes/WalletService/__schema__/v1.0.0';

/** A schema in the format of n8n's own nodes. */
interface Schema {
	readonly type: string | readonly string[];
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly items?: Schema;
}

const REPLAY = 'Output of Contract: Write that an earlier try sent';

/** Schemas that no example shows: for fields whose names or types depend on data, and for rare fields. */
const SPECIAL: Readonly<Record<string, Schema>> = {
	value: { type: ['string', 'boolean', 'number', 'object', 'array', 'null'] },
	resolvedAddresses: { type: 'object' },
	earlierHashes: { type: 'array', items: { type: 'string' } },
	execution: { type: 'string' },
	warning: { type: 'string' },
	differs: { type: 'array', items: { type: 'string' } },
};

/** Fields of an item that users cannot select. */
function othersOf({ isSequential, option }: Operation): readonly string[] {
	const ofReplay = ['replayed', 'execution', 'warning', 'sentCall', 'requestedCall'];
	if (isSequential) return [...ofReplay, 'earlierHashes'];
	return ['read', 'list'].includes(option.value) ? ['warning'] : [];
}

function schemaOf(example: unknown): Schema {
	if (example === null) return { type: 'null' };
	if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]) };
	if (typeof example !== 'object') return { type: typeof example };
	const properties = Object.entries(example).map(([name, value]) => [name, schemaOf(value)]);
	return { type: 'object', properties: Object.fromEntries(properties) };
}

/** The examples of an operation's simplified output, and of a write's replay. */
function examplesOf(sections: readonly Section[], title: string, isWrite: boolean) {
	return sections
		.filter(
			(section) =>
				(section.title.startsWith(`Output of ${title}`) && !section.title.includes('without')) ||
				(isWrite && section.title === REPLAY),
		)
		.flatMap(({ nodes }) => jsonBlocks(nodes))
		.map((block) => readObject(JSON.parse(block), title));
}

/** The rows about a field: from the sections on the operation's output, or else from all the given sections. */
function rowsAbout(sections: readonly Section[], title: string, field: string): TableRow[] {
	const own = sections.filter((one) => one.title.startsWith(`Output of ${title}`));
	const [found = []] = [own, sections]
		.map((some) => some.flatMap((one) => rowsOf(one, 'Field')))
		.map((rows) => rows.filter(({ Field: cell }) => codesIn(cell).includes(field)))
		.filter((rows) => rows.length > 0);
	return found;
}

function schemaOfField(field: string, values: readonly unknown[], isNull: boolean): Schema {
	const special = SPECIAL[field];
	if (special !== undefined) return special;
	const [first = { type: 'string' }, ...others] = values.map(schemaOf);
	const types = [...new Set([first, ...others].map(({ type }) => String(type)))];
	if (isNull && !types.includes('null')) types.push('null');
	return types.length === 1 ? first : { type: types };
}

/** The schema of each operation, and the fields that are missing from the documents. */
async function documentedSchemas() {
	const documents = await readDocuments('docs/resources/*.md');
	const sectionsOf = (...names: readonly unknown[]) =>
		documents
			.filter(({ path }) => names.includes(basename(path, '.md')))
			.flatMap(({ sections }) => sections);
	const all = documents.flatMap(({ sections }) => sections);
	return resources.flatMap(({ option, operations }) =>
		operations.map((operation) => {
			const title = `${option.name}: ${operation.option.name}`;
			const examples = examplesOf(all, title, operation.isSequential === true);
			const own = sectionsOf(option.value, operation.isSequential && 'contract');
			const fields = [...operation.fields, ...othersOf(operation)].map((field) => {
				const values = examples.flatMap((one) => (field in one ? [one[field]] : []));
				const rows = rowsAbout(own, title, field);
				const isNull = rows.some(({ Meaning: cell }) => codesIn(cell).includes('null'));
				return { field, rows, schema: schemaOfField(field, values, isNull) };
			});
			const properties = Object.fromEntries(fields.map(({ field, schema }) => [field, schema]));
			const text = JSON.stringify({ type: 'object', properties, version: 1 }, null, '\t');
			return {
				path: `${SCHEMA_FOLDER}/${option.value}/${operation.option.value}.json`,
				text: `${text}\n`,
				missing: fields.flatMap(({ field, rows }) =>
					rows.length > 0 ? [] : [`${title}: ${field}`],
				),
			};
		}),
	);
}

let schemas: Awaited<ReturnType<typeof documentedSchemas>>;

beforeAll(async () => {
	schemas = await documentedSchemas();
	if (process.env.UPDATE_SCHEMAS === undefined) return;
	for (const { path, text } of schemas) {
		await mkdir(dirname(join(root, path)), { recursive: true });
		await writeFile(join(root, path), text);
	}
});

test('every operation has a schema, and nothing else has', async () => {
	const paths = schemas.map(({ path }) => path);
	expect(paths.length).toBeGreaterThan(6);
	expect(await projectFiles(`${SCHEMA_FOLDER}/**/*.json`)).toEqual(paths.sort());
});

test('each schema is what the documents show', async () => {
	for (const { path, text } of schemas) {
		expect({ [path]: await readProjectFile(path) }).toEqual({ [path]: text });
	}
});

test('each field is explained in the document of its resource', () => {
	expect(schemas.flatMap(({ missing }) => missing)).toEqual([]);
});
