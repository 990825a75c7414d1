/** The workflows of `examples/` contain no code or calculations; each has a recipe and a line in its list. */
import { basename } from 'node:path';
import type { Nodes } from 'mdast';
import ts from 'typescript';

import { readObject, readText } from '../../../tools/files/json.mts';
import { projectFiles, readDocument, sectionOf } from '../../support/docs/documents.mts';
import { codesIn, nodesOf, rowsOf, textOf } from '../../support/docs/markdown.mts';
import { readExample, type Example } from '../../support/n8n/examples.mts';

const NOTE = 'n8n-nodes-base.stickyNote';
let examples: (Example & { file: string })[];

beforeAll(async () => {
	const read = async (path: string) => {
		return { ...(await readExample(basename(path, '.json'))), file: basename(path) };
	};
	examples = await Promise.all((await projectFiles('examples/*.json')).map(read));
});

const files = () => examples.map(({ file }) => file);

/** Nodes that run code or calculate, by the last part of their types. */
const WITH_CODE = /\.(?:code|function|functionItem|executeCommand|aiTransform|toolCode|summarize)$/;

/** JavaScript identifiers that convert to numbers, or calculate. */
const CALCULATING =
	/^(?:Number|parseFloat|parseInt|BigInt|Math|eval|Function|toNumber|toInt|toFloat|toFixed|round|floor|ceil|sum|average|reduce)$/;

const OPERATORS = new Set('+ - * ** / % < <= > >='.split(' '));

/** The calculations in a piece of JavaScript. */
function calculations(code: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		const isOperation =
			(ts.isBinaryExpression(node) && OPERATORS.has(node.operatorToken.getText())) ||
			ts.isPrefixUnaryExpression(node) ||
			ts.isPostfixUnaryExpression(node);
		const isWord = ts.isIdentifier(node) && CALCULATING.test(node.text);
		if (isOperation || isWord) found.push(node.getText());
		node.forEachChild(visit);
	};
	visit(ts.createSourceFile('expression.ts', `(${code})`, ts.ScriptTarget.Latest, true));
	return found;
}

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
	const texts = { a: ['={{ $json.a }} and {{ { "b": $json.b } }}', '{{ c }}'] };
	expect(expressionsIn(texts)).toEqual([' $json.a ', ' { "b": $json.b } ']);
});

test('no example runs code or calculates', () => {
	const nodes = examples.flatMap((example) => example.nodes);
	const types = nodes.map(({ type }) => readText(type, 'the type'));
	expect(types.filter((type) => WITH_CODE.test(type))).toEqual([]);
	const expressions = nodes.flatMap(({ parameters }) => expressionsIn(parameters));
	expect(expressions.length).toBeGreaterThan(30);
	expect(expressions.filter((code) => calculations(code).length > 0)).toEqual([]);
});

test('no example compares numbers, which would be rounded', () => {
	const texts = examples.flatMap(({ nodes }) => nodes.map((node) => JSON.stringify(node)));
	const comparing = texts.filter((text) => text.includes('{"type":"number"'));
	// The index of a run is not an amount.
	expect(comparing.filter((text) => !text.includes('"={{ $runIndex }}"'))).toEqual([]);
});

test('Start here lists all other examples in an order', () => {
	const start = examples.find(({ name }) => name === 'Start here');
	const note = start?.nodes.find(({ name }) => name === 'Order of the Examples');
	const { content } = readObject(note?.parameters, 'the note');
	const listed = [...readText(content, 'the text').matchAll(/^\d+\. \*\*(.*?)\*\*/gm)];
	const names = examples.map(({ name }) => readText(name, 'the name'));
	const others = names.filter((name) => name !== 'Start here');
	expect(listed.map(([, name]) => name).sort()).toEqual(others.sort());
});

/** Those nodes of an example that can pay, with their parameters; the ones with Try Without Sending only check. */
const sendingNodes = ({ nodes }: Example) =>
	nodes
		.filter(({ type }) => String(type).includes('.walletService'))
		.map((node) => ({ ...node, ...readObject(node.parameters, 'the form') }))
		.filter((node) => 'operation' in node && /^(?:send|write)$/.test(String(node.operation)));

test('each node that pays has an Order ID, or a note says why it needs none or how to enter one', () => {
	const paying = examples.filter((one) => sendingNodes(one).some((node) => !('preview' in node)));
	expect(paying.length).toBeGreaterThan(6);
	const without = paying.flatMap((example) => {
		const notes = example.nodes.filter(({ type }) => type === NOTE).flatMap(textsIn);
		const isExplained = notes.some((text) => text.includes('**Order ID**'));
		const pays = sendingNodes(example).filter((node) => !('preview' in node));
		const lacking = pays.filter((node) => !('orderId' in node));
		return isExplained ? [] : lacking.map(({ name }) => `${String(example.name)}: ${String(name)}`);
	});
	expect(without).toEqual([]);
	const ordered = paying.filter((one) => sendingNodes(one).some((node) => 'orderId' in node));
	expect(ordered.map(({ file }) => file)).toEqual(
		expect.arrayContaining(['refund-by-form.json', 'webhook-contract-write.json']),
	);
});

test('an example that pays has no token, contract, person, amount or order twice', () => {
	for (const example of examples.filter((one) => sendingNodes(one).length > 0)) {
		// The tool of an agent only tries: what is approved is checked again.
		const own = example.nodes.filter(({ type }) =>
			/\.walletService(?:Trigger)?$/.test(String(type)),
		);
		const entered = own.flatMap(({ parameters }) => {
			const fields = readObject(parameters, 'the form');
			const { token, contractAddress, recipient, userId, userIds, amount, orderId } = fields;
			const values = [Object(token).value ?? token, contractAddress, recipient, userId, userIds];
			return [...values, amount, orderId].filter((one) => one && !String(one).startsWith('='));
		});
		expect([example.name, entered]).toEqual([example.name, [...new Set(entered)]]);
	}
});

test('what is paid after a check is what was checked: the token is entered once, for one credential', () => {
	const paying = examples.flatMap((example) => {
		const { name } = example;
		const sending = sendingNodes(example).filter(
			({ type, resource }) => String(type).endsWith('.walletService') && resource === 'token',
		);
		const checks = sending.filter((node) => 'preview' in node);
		const pays = checks.length === 0 ? [] : sending.filter((node) => !('preview' in node));
		return pays.map((node) => ({ name, node, checks }));
	});
	expect(paying.length).toBeGreaterThan(2);
	for (const { name, node, checks } of paying) {
		for (const field of ['token', 'recipient', 'amount', 'sender'] as const) {
			const value: unknown = Reflect.get(node, field) ?? Reflect.get(Object(node.options), field);
			const [text] = textsIn(value).slice(-1);
			expect({ name, field, text }).toEqual({ name, field, text: expect.stringMatching(/^=\{\{/) });
		}
		for (const check of checks) expect(check.credentials).toEqual(node.credentials);
	}
});

test('notes use the word on n8n’s button, Publish', () => {
	const notes = examples.flatMap(({ nodes }) => nodes.filter(({ type }) => type === NOTE));
	const texts = notes.map(({ parameters }) => textsIn(parameters).join('\n'));
	expect(texts.filter((text) => /\bactiv(e|at)/i.test(text))).toEqual([]);
	expect(texts.length).toBeGreaterThan(examples.length);
});

const filesIn = (node: Nodes | undefined): string[] =>
	codesIn(node).filter((value) => /^[\w-]+\.json$/.test(value));

/** The recipes: sections that begin with the file name of a workflow. */
async function recipes() {
	const { sections } = await readDocument('docs/recipes.md');
	return sections.flatMap((section) => {
		const [file] = section.nodes.slice(0, 1).flatMap(filesIn);
		return file === undefined ? [] : [{ ...section, file }];
	});
}

test('every example has one recipe, and every recipe its example', async () => {
	expect((await recipes()).map(({ file }) => file).sort()).toEqual(files());
});

test('one table lists every example, and no other; README shows some of them', async () => {
	const listed = async (path: string, title: string) => {
		const rows = rowsOf(sectionOf(await readDocument(path), title), 'File');
		return rows.flatMap(({ File }) => filesIn(File)).sort();
	};
	expect(await listed('docs/recipes.md', 'All examples')).toEqual(files());
	expect(files()).toEqual(expect.arrayContaining(await listed('README.md', 'Examples')));
});

test('a recipe explains what to change, its pitfalls and, folded, how it is built', async () => {
	const html = ['<details><summary>How it is built</summary>', '</details>'];
	for (const { title, nodes } of await recipes()) {
		const bold = nodes.flatMap((node) => nodesOf(node, 'strong')).map(textOf);
		const wanted = ['What to change', 'Pitfalls'];
		expect({ title, bold }).toEqual({ title, bold: expect.arrayContaining(wanted) });
		const folds = nodes.flatMap((node) => nodesOf(node, 'html')).map(({ value }) => value);
		expect({ title, folds }).toEqual({ title, folds: html });
	}
});

test('a recipe names every node of its workflow, and no other', async () => {
	for (const { file, nodes } of await recipes()) {
		const all = examples.find((example) => example.file === file)?.nodes ?? [];
		const steps = all.filter(({ type }) => type !== NOTE).map(({ name }) => name);
		const named = nodes.flatMap((node) => nodesOf(node, 'emphasis')).map(textOf);
		expect({ file, nodes: [...new Set(named)].sort() }).toEqual({ file, nodes: steps.sort() });
	}
});
