/** The documents list the codes and messages of the code. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

import { FAILURE_CODES } from '../../../nodes/WalletService/request/failure/failure-code.ts';
import { root } from '../../../tools/files/paths.mts';
import { projectFiles, readDocument } from '../../support/docs/documents.mts';
import { nodesOf, rowsOf, textOf } from '../../support/docs/markdown.mts';

/** Columns that quote messages. */
const COLUMNS = ['Message', 'Message begins with', 'The error begins with'];

/** Values within messages: dots for anything, words with a digit, and separators. */
const FILLED_IN = /^(?:\.\.\.|\S*\d\S*|[\s:;,()])/;

/** Shorter texts could compose any message. */
const SHORTEST = 3;

let texts: string[];

const withoutQuotes = (text: string): string => text.replaceAll('"', '');

/** Texts and parts of templates in a source file. */
function textsOf(source: ts.SourceFile): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) found.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

/** Whether a message, or its beginning, can be composed of texts in the code. */
function isMade(message: string): boolean {
	if (message === '') return true;
	const [filled] = FILLED_IN.exec(message) ?? [];
	if (filled !== undefined && isMade(message.slice(filled.length))) return true;
	return texts.some(
		(text) =>
			(message.length >= SHORTEST && text.startsWith(message)) ||
			(message.startsWith(text) && isMade(message.slice(text.length))),
	);
}

test('every code is documented, and no other', async () => {
	const { sections } = await readDocument('docs/errors.md');
	const rows = sections.flatMap((section) => rowsOf(section, 'code'));
	expect(rows.map(({ code }) => code && textOf(code))).toEqual([...FAILURE_CODES]);
});

beforeAll(async () => {
	const paths = await projectFiles('nodes/**/*.ts');
	const sources = await Promise.all(
		paths.map(async (path) => {
			const text = await readFile(join(root, path), 'utf8');
			return textsOf(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
		}),
	);
	const all = sources.flat().map((text) => withoutQuotes(text).replace(/^[\s,]+|\s+$/g, ''));
	texts = [...new Set(all)].filter((text) => text.length >= SHORTEST);
});

test.each(['docs/errors.md', 'docs/oauth2.md'])('the code has the messages of %s', async (path) => {
	const { sections } = await readDocument(path);
	const cells = COLUMNS.flatMap((column) =>
		sections.flatMap((section) => rowsOf(section, column).map(({ [column]: cell }) => cell)),
	);
	const messages = cells
		.flatMap((cell) => (cell ? nodesOf(cell, 'inlineCode') : []))
		.map(({ value }) => withoutQuotes(value));
	expect(messages.length).toBeGreaterThan(4);
	expect(messages.filter((message) => !isMade(message))).toEqual([]);
});
