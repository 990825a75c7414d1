/** The examples need no code: neither nodes that run some, nor arithmetic in expressions, which would round amounts. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import ts from 'typescript';

import type { JsonObject } from '../../../tools/files/json.mts';
import { readList, readObject, readText } from '../../../tools/files/json.mts';
import { examplesDirectory } from '../../../tools/files/paths.mts';
import { projectFiles } from '../../support/docs/documents.mts';

interface Example {
	file: string;
	name: string;
	nodes: JsonObject[];
}

let examples: Example[];

beforeAll(async () => {
	const files = (await projectFiles('examples/*.json')).map((path) => basename(path));
	examples = await Promise.all(
		files.map(async (file) => {
			const text = await readFile(join(examplesDirectory, file), 'utf8');
			const { name, nodes } = readObject(JSON.parse(text), file);
			const all = readList(nodes, 'the nodes').map((node) => readObject(node, 'a node'));
			return { file, name: readText(name, 'the name'), nodes: all };
		}),
	);
});

/** Nodes that run code or calculate, by the last part of their types. */
const WITH_CODE = new Set([
	...['code', 'function', 'functionItem', 'executeCommand', 'aiTransform', 'toolCode', 'summarize'],
]);

/** Words of JavaScript that make numbers of texts, or calculate. */
const CALCULATING = new Set([
	...['Number', 'parseFloat', 'parseInt', 'BigInt', 'Math', 'eval', 'Function'],
	...[
		'toNumber',
		'toInt',
		'toFloat',
		'toFixed',
		'round',
		'floor',
		'ceil',
		'sum',
		'average',
		'reduce',
	],
]);

const OPERATORS = new Set([
	ts.SyntaxKind.PlusToken,
	ts.SyntaxKind.MinusToken,
	ts.SyntaxKind.AsteriskToken,
	ts.SyntaxKind.AsteriskAsteriskToken,
	ts.SyntaxKind.SlashToken,
	ts.SyntaxKind.PercentToken,
	ts.SyntaxKind.LessThanToken,
	ts.SyntaxKind.LessThanEqualsToken,
	ts.SyntaxKind.GreaterThanToken,
	ts.SyntaxKind.GreaterThanEqualsToken,
]);

/** What calculates in a piece of JavaScript. */
function calculations(code: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		const isOperation =
			(ts.isBinaryExpression(node) && OPERATORS.has(node.operatorToken.kind)) ||
			ts.isPrefixUnaryExpression(node) ||
			ts.isPostfixUnaryExpression(node);
		if (isOperation || (ts.isIdentifier(node) && CALCULATING.has(node.text))) {
			found.push(node.getText());
		}
		node.forEachChild(visit);
	};
	visit(ts.createSourceFile('expression.ts', `(${code})`, ts.ScriptTarget.Latest, true));
	return found;
}

/** All texts in a value. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The pieces of JavaScript in the expressions of a value. */
const expressionsIn = (value: unknown): string[] =>
	textsIn(value)
		.filter((text) => text.startsWith('='))
		.flatMap((text) => [...text.matchAll(/\{\{(.*?)\}\}(?!\})/gs)].map(([, code = '']) => code));

test('calculations are found', () => {
	const code = ['$json.a * 2', 'Number($json.a)', '-$json.a', '$json.a.toFixed(2)', '$json.a > 5'];
	expect(code.filter((one) => calculations(one).length === 0)).toEqual([]);
	const harmless = ["$json.a ?? 'none'", '$now.minus({ months: 1 })', "$json.a === 'x' ? 1 : 2"];
	expect(harmless.flatMap(calculations)).toEqual([]);
	expect(expressionsIn({ a: ['={{ $json.a }} and {{ { "b": $json.b } }}', '{{ c }}'] })).toEqual([
		' $json.a ',
		' { "b": $json.b } ',
	]);
});

test('no example runs code or calculates', () => {
	const found = examples.flatMap(({ file, nodes }) =>
		nodes.flatMap(({ name, type, parameters }) => [
			...(WITH_CODE.has(readText(type, 'the type').split('.').at(-1) ?? '')
				? [{ file, name, type }]
				: []),
			...expressionsIn(parameters)
				.flatMap(calculations)
				.map((calculation) => ({ file, name, calculation })),
		]),
	);
	expect(found).toEqual([]);
	// Otherwise nothing was looked at.
	expect(examples.flatMap(({ nodes }) => expressionsIn(nodes)).length).toBeGreaterThan(30);
});

test('no example compares numbers, which would be rounded', () => {
	const compared = examples.flatMap(({ file, nodes }) =>
		nodes
			// How often a node has run is no amount.
			.filter(({ parameters }) => !JSON.stringify(parameters).includes('"={{ $runIndex }}"'))
			.filter(({ parameters }) => JSON.stringify(parameters).includes('{"type":"number"'))
			.map(({ name }) => ({ file, name })),
	);
	expect(compared).toEqual([]);
});

test('Start here puts all other examples in an order', () => {
	const start = examples.find(({ name }) => name === 'Start here');
	const note = start?.nodes.find(({ name }) => name === 'Order of the Examples');
	const { content } = readObject(note?.parameters, 'the note');
	const listed = [...readText(content, 'the text').matchAll(/^\d+\. \*\*(.*?)\*\*/gm)];
	const others = examples.map(({ name }) => name).filter((name) => name !== 'Start here');
	expect(listed.map(([, name]) => name).sort()).toEqual(others.sort());
});

test('notes say what the button of n8n says: Publish', () => {
	const notes = examples.flatMap(({ file, nodes }) =>
		nodes
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map(({ parameters }) => ({ file, text: textsIn(parameters).join('\n') })),
	);
	expect(notes.filter(({ text }) => /\bactiv(e|at)/i.test(text))).toEqual([]);
	expect(notes.length).toBeGreaterThan(examples.length);
});
