/** The `@example`s in the sources of the node. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';

import { root } from '../../../../tools/files/paths.mts';

/** An exported function or class. */
export interface Helper {
	readonly name: string;
	/** The code of its examples. */
	readonly examples: readonly string[];
}

/** One step of an example: code, and the promise in the comment after it, if any. */
export interface Step {
	readonly code: string;
	readonly result: string | undefined;
}

const isExported = (node: ts.Node): boolean =>
	ts.canHaveModifiers(node) &&
	ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

const isFunction = ({ initializer }: ts.VariableDeclaration): boolean =>
	initializer !== undefined &&
	(ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));

const examplesOf = (node: ts.Node): string[] =>
	ts
		.getJSDocTags(node)
		.filter(({ tagName }) => tagName.text === 'example')
		.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');

function helpersIn(statement: ts.Statement): Helper[] {
	if (!isExported(statement)) return [];
	const examples = examplesOf(statement);
	if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
		return [{ name: statement.name?.text ?? 'default', examples }];
	}
	if (!ts.isVariableStatement(statement)) return [];
	return statement.declarationList.declarations
		.filter(isFunction)
		.map(({ name }) => ({ name: name.getText(), examples }));
}

const parsed = (text: string): ts.SourceFile =>
	ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);

/** The exported functions and classes of a file. */
export async function helpersOf(path: string): Promise<Helper[]> {
	return parsed(await readFile(join(root, path), 'utf8')).statements.flatMap(helpersIn);
}

/** The steps of an example: a comment belongs to the statement before it. */
export function stepsOf(example: string): Step[] {
	const source = parsed(example);
	return source.statements.map((statement) => {
		const [comment] = /^[\s;]*\/\/ .+/.exec(example.slice(statement.end)) ?? [];
		return { code: statement.getText(), result: comment?.replace(/^[\s;]*\/\/ /, '') };
	});
}
