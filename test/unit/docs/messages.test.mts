/** User-facing texts: the documents list all failure codes and quote actual messages, and no text is too long. */
import ts from 'typescript';

import { FAILURE_CODES } from '../../../nodes/WalletService/request/failure/failure-code.ts';
import { projectFiles, readDocument, readProjectFile } from '../../support/docs/documents.mts';
import { codesIn, rowsOf, textOf } from '../../support/docs/markdown.mts';

/** Columns that quote messages. */
const COLUMNS = ['Message', 'Message begins with', 'The error begins with'];

/** Placeholders and values in messages: an ellipsis, words with a digit, and separators. */
const FILLED_IN = /^(?:\.\.\.|\S*\d\S*|[\s:;,()])/;

/** Minimum length of a text: any message could be composed of shorter ones. */
const SHORTEST = 3;

const MAX_MESSAGE = 220;
const MAX_DESCRIPTION = 200;

/** The property with text for n8n's workflow builder, not for people. */
const FOR_BUILDERS = 'searchHint';

let sources: { path: string; nodes: ts.Node[] }[];
let texts: string[];

const nodesIn = (node: ts.Node): ts.Node[] => [node, ...node.getChildren().flatMap(nodesIn)];
const withoutQuotes = (text: string): string => text.replaceAll('"', '');

beforeAll(async () => {
	const paths = await projectFiles('{nodes,credentials}/**/*.ts');
	const read = async (path: string) => {
		const text = await readProjectFile(path);
		return { path, nodes: nodesIn(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)) };
	};
	sources = await Promise.all(paths.map(read));
	const all = sources
		.filter(({ path }) => path.startsWith('nodes/'))
		.flatMap(({ nodes }) => nodes)
		.filter((node) => ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node))
		.map(({ text }) => withoutQuotes(text).replace(/^[\s,]+|\s+$/g, ''));
	texts = [...new Set(all)].filter((text) => text.length >= SHORTEST);
});

/** Whether a message, or the beginning of one, can be composed of texts in the code. */
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

test.each(['docs/errors.md', 'docs/oauth2.md'])('the code has the messages of %s', async (path) => {
	const { sections } = await readDocument(path);
	const cells = COLUMNS.flatMap((column) =>
		sections.flatMap((section) => rowsOf(section, column).map(({ [column]: cell }) => cell)),
	);
	const messages = cells.flatMap(codesIn).map(withoutQuotes);
	expect(messages.length).toBeGreaterThan(4);
	expect(messages.filter((message) => !isMade(message))).toEqual([]);
});

/** The length of a string, without the values of a template; 0 for any other node. */
function lengthOf(node: ts.Node): number {
	if (ts.isStringLiteralLike(node)) return node.text.length;
	if (!ts.isTemplateExpression(node)) return 0;
	const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)];
	return parts.map(({ text }) => text).join('').length;
}

function isTooLong(node: ts.Node): boolean {
	const property = ts.isPropertyAssignment(node.parent) ? node.parent.name.getText() : '';
	const most = property === 'description' ? MAX_DESCRIPTION : MAX_MESSAGE;
	return property !== FOR_BUILDERS && lengthOf(node) > most;
}

test('messages have at most 220 characters, descriptions 200', () => {
	expect(sources.length).toBeGreaterThan(100);
	for (const { path, nodes } of sources) {
		const long = nodes.filter((node) => node.parent !== undefined && isTooLong(node));
		expect([path, long.map((node) => node.getText())]).toEqual([path, []]);
	}
});
