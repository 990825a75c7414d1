/** Every exported helper has an example; these and the examples in the documents are correct. */
import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { ParamType } from 'ethers';
import ts from 'typescript';

import { encodeArguments } from '../../../nodes/WalletService/contract/arguments.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { ServiceError } from '../../../nodes/WalletService/request/failure/service-error.ts';
import { root } from '../../../tools/files/paths.mts';
import {
	projectFiles,
	readDocument,
	readProjectFile,
	sectionOf,
} from '../../support/docs/documents.mts';
import { codesIn, rowsOf } from '../../support/docs/markdown.mts';
import { resolveBy } from '../support/contract/resolve.mts';

const ROOMS = 'contract,values,request/http,writes';

/** Only n8n can create a context, so examples with a context are not run. */
const FROM_N8N = /\bcontext\b/;

const parsed = (text: string): ts.SourceFile =>
	ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);

const examplesOf = (node: ts.Node): string[] =>
	ts
		.getJSDocTags(node)
		.filter(({ tagName }) => tagName.text === 'example')
		.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');

/** All exports of the rooms, by name. */
const all: Record<string, unknown> = { ParamType, ServiceError };
/** The functions and classes among them, with the code of their examples. */
const helpers: { name: string; label: string; examples: string[] }[] = [];

beforeAll(async () => {
	for (const path of await projectFiles(`nodes/WalletService/{${ROOMS}}/**/*.ts`)) {
		const { statements } = parsed(await readProjectFile(path));
		for (const [name, value] of Object.entries<unknown>(await import(join(root, path)))) {
			all[name] = value;
			if (typeof value !== 'function') continue;
			const declared = new RegExp(`^export (?:async )?(?:function\\*?|class|const) ${name}\\b`);
			const own = statements.filter((statement) => declared.test(statement.getText()));
			const label = `${basename(path)}: ${name}`;
			helpers.push({ name, label, examples: own.flatMap(examplesOf) });
		}
	}
});

/** The steps of an example, each with the result that a comment after it promises, if any. */
function stepsOf(example: string) {
	const source = parsed(example);
	return source.statements.map((statement) => {
		const [comment] = /^[\s;]*\/\/ .+/.exec(example.slice(statement.end)) ?? [];
		return { code: statement.getText(), result: comment?.replace(/^[\s;]*\/\/ /, '') };
	});
}

const written = (value: unknown): string =>
	inspect(value, { breakLength: Infinity }).replaceAll('[ ', '[').replaceAll(' ]', ']');

/** Whether the text of a value matches the promised text; "…" matches anything. */
function isAs(text: string, promised: string): boolean {
	const parts = promised.split('…').map((part) => part.replace(/[^\w\s]/g, '\\$&'));
	return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** Runs an example; returns the results that differ from those that its comments promise. */
async function wrongResultsOf(example: string): Promise<string[]> {
	const body = stepsOf(example).map(({ code, result }) => {
		const noted = `await note(async () => (${code.replace(/;$/, '')}), ${JSON.stringify(result)});`;
		return result === undefined ? code : noted;
	});
	const wrong: string[] = [];
	const failed = (error: unknown) => (error instanceof Error ? `throws ${error.name}` : 'throws');
	const note = async (act: () => Promise<unknown>, promised: string) => {
		const result = await act().then(written, failed);
		if (!isAs(result, promised)) wrong.push(result);
	};
	const names = { ...all, note };
	const made = new Function(
		...Object.keys(names),
		`return (async () => { ${body.join('\n')} })();`,
	);
	await Reflect.apply(made, undefined, Object.values(names));
	return wrong;
}

test('each exported helper has an example, which uses it', () => {
	expect(helpers.length).toBeGreaterThan(90);
	const wrong = helpers.filter(({ name, examples }) => {
		const isUsed = (example: string) => new RegExp(`\\b${name}\\b`).test(example);
		return examples.length === 0 || !examples.every(isUsed);
	});
	expect(wrong.map(({ label }) => label)).toEqual([]);
});

test('the examples have the promised results', async () => {
	const examples = helpers
		.flatMap((helper) => helper.examples)
		.filter((example) => !FROM_N8N.test(example) && stepsOf(example).some(({ result }) => result));
	expect(examples.length).toBeGreaterThan(80);
	for (const example of examples) {
		expect({ example, wrong: await wrongResultsOf(example) }).toEqual({ example, wrong: [] });
	}
});

/** The code in each cell of a table column in docs/resources/contract.md. */
async function codesOfColumn(title: string, column: string): Promise<string[][]> {
	const table = sectionOf(await readDocument('docs/resources/contract.md'), title);
	return rowsOf(table, column).map(({ [column]: cell }) => codesIn(cell));
}

test('the node accepts the signatures and arguments of its document', async () => {
	const signatures = (await codesOfColumn('Writing a signature', 'Written')).flat();
	expect(signatures.length).toBeGreaterThan(3);
	for (const signature of signatures) expect(() => parseSignature(signature)).not.toThrow();
	const types = await codesOfColumn('Writing an argument', 'Type');
	expect(types.length).toBeGreaterThan(5);
	const address = `0x${'1'.repeat(40)}`;
	const resolve = {
		...resolveBy({ token: { address, decimals: 6, symbol: 'SUSD' } }),
		user: async () => await Promise.resolve(address),
	};
	const cells = await codesOfColumn('Writing an argument', 'Example');
	for (const [index, examples] of cells.entries()) {
		const fn = parseSignature(`f(${types[index]?.[0]} x)`);
		for (const example of examples)
			expect(await encodeArguments(fn, [example], 'args', resolve)).toHaveLength(1);
	}
});
