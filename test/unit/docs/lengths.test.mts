/** Texts for users are short: messages without their values, and descriptions in forms. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from '../../../tools/files/paths.mts';
import { projectFiles } from '../../support/docs/documents.mts';

const MAX_MESSAGE = 220;
const MAX_DESCRIPTION = 200;

/** For n8n's workflow builder, not for people. */
const FOR_BUILDERS = 'searchHint';

/** A text, without the values of a template; `undefined` for any other node. */
function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
		.map(({ text }) => text)
		.join('');
}

/** The texts in a source file that are longer than allowed. */
function tooLong(node: ts.Node): string[] {
	const property = ts.isPropertyAssignment(node.parent) ? node.parent.name.getText() : '';
	const most = property === 'description' ? MAX_DESCRIPTION : MAX_MESSAGE;
	const text = textOf(node) ?? '';
	const own = property !== FOR_BUILDERS && text.length > most ? [text] : [];
	return [...own, ...node.getChildren().flatMap(tooLong)];
}

test('messages have at most 220 characters, descriptions 200', async () => {
	const paths = await projectFiles('{nodes,credentials}/**/*.ts');
	expect(paths.length).toBeGreaterThan(100);
	for (const path of paths) {
		const text = await readFile(join(root, path), 'utf8');
		const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
		expect([path, source.statements.flatMap(tooLong)]).toEqual([path, []]);
	}
});
