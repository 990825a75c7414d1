/**
 * The schemas that n8n shows of an output before the node has run are what the documents show. `UPDATE_SCHEMAS=1` regenerates
 * them.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { root } from '../../../tools/files/paths.mts';
import { projectFiles } from '../../support/docs/documents.mts';
import type { DocumentedSchema } from '../support/docs/output-schemas.mts';
import { documentedSchemas, SCHEMA_FOLDER } from '../support/docs/output-schemas.mts';

let schemas: DocumentedSchema[];

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
		expect({ [path]: await readFile(join(root, path), 'utf8') }).toEqual({ [path]: text });
	}
});

test('each field is explained in the document of its resource', () => {
	expect(schemas.filter(({ missing }) => missing.length > 0)).toEqual([]);
});
