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

/** All exports of the rooms, and the functions and classes among them, with the code of their examples. */
async function exportsOf() {
	const all: Record<string, unknown> = {};
	const helpers = [];
	for (const path of await projectFiles(`nodes/WalletService/{${ROOMS}}/**/*.ts`)) {
		const { statements } = parsed(await readProjectFile(path));
		for (const [name, value] of Object.entries<unknown>(await import(join(root, path)))) {
			all[name] = value;
			if (typeof value !== 'function') continue;
			const declared = new RegExp(`^export (?:async )?(?:function|class|const) ${name}\\b`);
			const own = statements.filter((statement) => declared.test(statement.getText()));
			const label = `${basename(path)}: ${name}`;
			helpers.push({ name, label, examples: own.flatMap(examplesOf) });
		}
	}
	return { all, helpers };
}

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

/** Runs an example; returns each step's result with the one that its comment promises. */
async function runExample(
	example: string,
	names: Record<string, unknown>,
): Promise<Record<'result' | 'promised', string>[]> {
	const body = stepsOf(example).map(({ code, result }) => {
		const noted = `await note(async () => (${code.replace(/;$/, '')}), ${JSON.stringify(result)});`;
		return result === undefined ? code : noted;
	});
	const results: Record<'result' | 'promised', string>[] = [];
	const failed = (error: unknown) => (error instanceof Error ? `throws ${error.name}` : 'throws');
	const note = async (act: () => Promise<unknown>, promised: string) =>
		results.push({ result: await act().then(written, failed), promised });
	const all = { ...names, note };
	const made = new Function(...Object.keys(all), `return (async () => { ${body.join('\n')} })();`);
	await Reflect.apply(made, undefined, Object.values(all));
	return results;
}

test('each exported helper has an example', async () => {
	const { helpers } = await exportsOf();
	expect(helpers.length).toBeGreaterThan(90);
	const without = helpers.filter(({ examples }) => examples.length === 0);
	expect(without.map(({ label }) => label)).toEqual([]);
	const unused = helpers.filter(
		({ name, examples }) => !examples.every((example) => new RegExp(`\\b${name}\\b`).test(example)),
	);
	expect(unused.map(({ label }) => label)).toEqual([]);
});

test('the examples have the promised results', async () => {
	const { all, helpers } = await exportsOf();
	const examples = helpers
		.flatMap((helper) => helper.examples)
		.filter((example) => !FROM_N8N.test(example) && stepsOf(example).some(({ result }) => result));
	expect(examples.length).toBeGreaterThan(80);
	const wrong = [];
	const names = { ParamType, ServiceError, ...all };
	for (const example of examples) {
		for (const { result, promised } of await runExample(example, names)) {
			if (!isAs(result, promised)) wrong.push({ example, result });
		}
	}
	expect(wrong).toEqual([]);
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
	for (const [index, examples] of (
		await codesOfColumn('Writing an argument', 'Example')
	).entries()) {
		const fn = parseSignature(`f(${types[index]?.[0]} x)`);
		for (const example of examples)
			expect(await encodeArguments(fn, [example], 'args', resolve)).toHaveLength(1);
	}
});
