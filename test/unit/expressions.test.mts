/** The regular expressions of the node: none holds n8n's only thread, whatever text strangers choose. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';

import ts from 'typescript';

import { pumpedTexts } from './support/expressions/pumped.mts';

const NODES = join(import.meta.dirname, '../../nodes');
/** Characters of each text. */
const LENGTH = 100_000;
/** Processor time that a text may take, and time after which an expression is given up, in milliseconds. */
const [LIMIT, GIVEN_UP] = [50, 2000];

interface Found {
	readonly literals: RegExp[];
	/** Whether the file makes others of texts when it is loaded. */
	makes: boolean;
	/** Code that makes an expression while a function runs. */
	readonly late: string[];
}

/** Finds the expressions of a file by its syntax. */
function expressionsIn(path: string): Found {
	const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
	const found: Found = { literals: [], makes: false, late: [] };
	const visit = (node: ts.Node, isLate: boolean): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const end = node.text.lastIndexOf('/');
			found.literals.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
		}
		const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
		if (isMade && node.expression.getText() === 'RegExp') {
			if (isLate) found.late.push(node.getText());
			found.makes = true;
		}
		// The short functions between the constants of a file are called when it is loaded.
		const isBody = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
		ts.forEachChild(node, (child) => visit(child, isLate || isBody));
	};
	visit(file, false);
	return found;
}

/** Imports files of the node, and returns the expressions that they make of texts meanwhile. */
async function madeExpressions(files: readonly string[]): Promise<RegExp[]> {
	const made: RegExp[] = [];
	// Libraries make expressions, too, and are loaded once.
	await Promise.all([import('ethers'), import('n8n-workflow')]);
	const Own = globalThis.RegExp;
	globalThis.RegExp = new Proxy(Own, {
		construct: (target, given: [string, string?]) => {
			const expression = new target(...given);
			made.push(expression);
			return expression;
		},
	});
	try {
		for (const file of files) await import(file);
	} finally {
		globalThis.RegExp = Own;
	}
	return made;
}

/** Only what runs in a context can be given up. */
const sandbox = createContext({});
const REPLACE = new Script('text.replace(expression, "")');
const EXECUTE = new Script('expression.exec(text)');

/** The processor time that an expression takes for a text, in milliseconds; the least of some tries, as others run too. */
function timeOf(expression: RegExp, text: string): number {
	Object.assign(sandbox, { expression, text });
	const script = expression.global ? REPLACE : EXECUTE;
	let least = Infinity;
	for (let tries = 0; tries < 3 && least > LIMIT; tries += 1) {
		const before = process.cpuUsage();
		try {
			script.runInContext(sandbox, { timeout: GIVEN_UP });
		} catch {
			return Infinity;
		}
		const { user, system } = process.cpuUsage(before);
		least = Math.min(least, (user + system) / 1000);
	}
	return least;
}

const files = globSync('**/*.ts', { cwd: NODES }).map((name) => join(NODES, name));
const found = files.map(expressionsIn);

it('every expression is made when its file is loaded', () => {
	expect(found.flatMap(({ late }) => late)).toEqual([]);
});

it('every expression takes linear time', async () => {
	const makers = files.filter((_, at) => found[at]?.makes);
	const all = [...found.flatMap(({ literals }) => literals), ...(await madeExpressions(makers))];
	const slow: string[] = [];
	for (const expression of new Map(all.map((one) => [String(one), one])).values()) {
		for (const text of pumpedTexts(expression, LENGTH)) {
			const ms = timeOf(expression, text);
			if (ms <= LIMIT) continue;
			slow.push(`${String(expression)}: ${ms} ms for ${JSON.stringify(text.slice(0, 60))}`);
			break;
		}
	}
	expect(slow).toEqual([]);
}, 300_000);
