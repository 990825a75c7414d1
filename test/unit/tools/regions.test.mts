/** How the mutation runner finds out what tests reach. */
import { runInNewContext } from 'node:vm';
import ts from 'typescript';

import { instrumented, REACHED, regionAround, regionsOf } from '../../../tools/mutate/regions.mts';
import { readSource } from '../support/tools/source.mts';

const TEXT = `
function price(amount: number, fee = 1): number {
	if (amount > 100) return amount;
	else if (amount > 50) amount -= 1;
	for (const part of [1, 2]) if (part > 1) amount += part;
	const rest = amount > 10 ? amount : fee;
	try {
		return [rest].map((one) => one + 1)[0] ?? 0;
	} finally {
		amount = 0;
	}
}
class Purse {
	readonly coins = price(60);
}
`;

/** The code of the regions that are reached when an expression is evaluated behind the source. */
function reachedBy(expression: string): { value: unknown; reached: string[] } {
	const { source } = readSource(TEXT);
	const regions = regionsOf(source);
	const code = `${instrumented(source, regions, 0)}${expression}`;
	const numbers = new Set<number>();
	const { outputText } = ts.transpileModule(code, {
		compilerOptions: { target: ts.ScriptTarget.ES2022 },
	});
	const value: unknown = runInNewContext(outputText, { [REACHED]: (n: number) => numbers.add(n) });
	const texts = regions.map(({ node }) => node.getText().replace(/\s+/g, ' '));
	return {
		value,
		reached: [...numbers].sort((a, b) => a - b).map((number) => texts[number] ?? 'module'),
	};
}

test('only the module is reached when nothing is called', () => {
	expect(reachedBy('').reached).toEqual(['module']);
});

test('statements, branches, and values by default are told apart', () => {
	const { value, reached } = reachedBy('price(5)');
	expect(value).toBe(2);
	expect(reached).toEqual([
		'1',
		'if (amount > 100) return amount; else if (amount > 50) amount -= 1;',
		'if (amount > 50) amount -= 1;',
		'for (const part of [1, 2]) if (part > 1) amount += part;',
		'if (part > 1) amount += part;',
		'amount += part;',
		'const rest = amount > 10 ? amount : fee;',
		'fee',
		'try { return [rest].map((one) => one + 1)[0] ?? 0; } finally { amount = 0; }',
		'return [rest].map((one) => one + 1)[0] ?? 0;',
		'one + 1',
		'amount = 0;',
		'module',
	]);
});

test('what is computed stays the same', () => {
	expect(reachedBy('[price(101), price(60), price(20, 3), price(3, 4)]').value).toEqual([
		101, 62, 23, 5,
	]);
	expect(reachedBy('new Purse().coins').reached).toContain('price(60)');
});

test('the innermost region around a place is found', () => {
	const { source } = readSource(TEXT);
	const regions = new Map(regionsOf(source).map(({ node }) => [node, node.getText()]));
	const around: (string | undefined)[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isNumericLiteral(node)) around.push(regionAround(node, regions));
		ts.forEachChild(node, visit);
	};
	visit(source);
	expect(around.slice(0, 2)).toEqual(['1', expect.stringMatching(/^if \(amount > 100\)/)]);
	expect(around.at(-1)).toBe('price(60)');
});
