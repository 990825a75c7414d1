/** Each example has its recipe and its line in README, and neither names an example that is not there. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Nodes } from 'mdast';

import { readList, readObject } from '../../../tools/files/json.mts';
import { examplesDirectory } from '../../../tools/files/paths.mts';
import { projectFiles, readDocument, sectionOf } from '../../support/docs/documents.mts';
import { nodesOf, rowsOf, textOf } from '../../support/docs/markdown.mts';

let examples: string[];

beforeAll(async () => {
	examples = (await projectFiles('examples/*.json')).map((path) => basename(path));
});

/** The workflow files that a piece of text names in backticks. */
const filesIn = (node: Nodes): string[] =>
	nodesOf(node, 'inlineCode')
		.map(({ value }) => value)
		.filter((value) => /^[\w-]+\.json$/.test(value));

/** The recipes: sections that begin with the file of a workflow. */
async function recipes() {
	const { sections } = await readDocument('docs/recipes.md');
	return sections.flatMap((section) => {
		const [file] = section.nodes.slice(0, 1).flatMap(filesIn);
		return file === undefined ? [] : [{ ...section, file }];
	});
}

test('every example has one recipe, and every recipe its example', async () => {
	const files = (await recipes()).map(({ file }) => file);
	expect(files.sort()).toEqual(examples);
});

test('README lists every example, and no other', async () => {
	const rows = rowsOf(sectionOf(await readDocument('README.md'), 'Examples'), 'File');
	const files = rows.flatMap(({ File }) => (File === undefined ? [] : filesIn(File)));
	expect(files.sort()).toEqual(examples);
});

test('a recipe says what to change, how it is built and what to look out for', async () => {
	for (const { title, nodes } of await recipes()) {
		const bold = nodes.flatMap((node) => nodesOf(node, 'strong')).map(textOf);
		const wanted = ['What to change', 'How it is built', 'Pitfalls'];
		expect({ title, bold }).toEqual({ title, bold: expect.arrayContaining(wanted) });
	}
});

test('a recipe names the nodes of its workflow by their names, and each of them', async () => {
	for (const { file, nodes } of await recipes()) {
		const workflow: unknown = JSON.parse(await readFile(join(examplesDirectory, file), 'utf8'));
		const all = readList(readObject(workflow, file).nodes, 'the nodes').map((node) =>
			readObject(node, 'a node'),
		);
		const steps = all.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		const named = nodes.flatMap((node) => nodesOf(node, 'emphasis')).map(textOf);
		expect({ file, nodes: [...new Set(named)].sort() }).toEqual({
			file,
			nodes: steps.map(({ name }) => name).sort(),
		});
	}
});
