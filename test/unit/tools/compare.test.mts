/** How the mutation runner finds out which faults make a difference while tests run. */
import { createContext, runInContext } from 'node:vm';
import ts from 'typescript';

import { comparable, comparing } from '../../../tools/mutate/compare.mts';
import { COMPARED, comparer } from '../../../tools/mutate/comparer.mts';
import { mutantsOf } from '../../../tools/mutate/mutants.mts';
import { readSource } from '../support/tools/source.mts';

const TEXT = `
declare const calls: { count: number };
const LIMIT = 5 * 2;
export const OPEN = 3;
function isOver(size: number): boolean { return size > LIMIT; }
function next(): number { calls.count += 1; return calls.count; }
function isSmall(size: number, limit: number): boolean { return size < limit && size !== 0; }
function nameOf(user: { name: string; to?: { name: string } }): string { return user.to?.name ?? user.name; }
function write(sizes: number[], index: number): void { sizes[index + 1] = next() + 1; }
function lengthOf(text: string | null): number { return text === null ? 0 : Number(text.at(1)); }
`;

function mutantsAndCode() {
	const { source, checker } = readSource(TEXT);
	const all = comparable(mutantsOf('source.ts', source, checker), checker);
	const mutants = [...new Set(all.flatMap(({ versions }) => [...versions.keys()]))];
	return { mutants, code: comparing(source, all, (mutant) => mutants.indexOf(mutant)) };
}

/** The value of an expression behind the source, and the faults that changed a value: at the start, and on the way to it. */
function evaluate(expression: string) {
	const { mutants, code } = mutantsAndCode();
	const calls = { count: 0 };
	const found = new Set<string>();
	const note = (number: number) => {
		const { before = '', after = '' } = mutants[number] ?? {};
		found.add(`${before} -> ${after}`);
	};
	const context = createContext({ calls, [COMPARED]: comparer(note) });
	const { outputText } = ts.transpileModule(code.replace('export ', ''), {
		compilerOptions: { target: ts.ScriptTarget.ES2022 },
	});
	runInContext(outputText, context);
	const atStart = [...found];
	const value: unknown = runInContext(expression, context);
	const different = [...found].filter((one) => !atStart.includes(one)).sort();
	return { value, atStart, different, calls: calls.count };
}

test('only faults that change nothing but a value are compared', () => {
	const compared = mutantsAndCode().mutants.map(({ before, after }) => `${before} -> ${after}`);
	expect(compared).toContain('size < limit -> size <= limit');
	expect(compared).toContain('index + 1 -> index - 1');
	expect(compared.filter((one) => one.includes('next()') || one.includes('(removed)'))).toEqual([]);
});

test('a constant that other files use differs as soon as it is there', () => {
	expect(evaluate('').atStart).toEqual(['3 -> 4']);
});

test('a boundary makes a difference at the boundary alone', () => {
	const boundary = 'size < limit -> size <= limit';
	expect(evaluate('isSmall(1, 2)')).toMatchObject({ value: true });
	expect(evaluate('isSmall(1, 2)').different).not.toContain(boundary);
	expect(evaluate('isSmall(2, 2)')).toMatchObject({ value: false });
	expect(evaluate('isSmall(2, 2)').different).toContain(boundary);
});

test('a fault that another condition hides makes no difference', () => {
	expect(evaluate('isSmall(0, 0)').different).not.toContain('size < limit -> size <= limit');
});

test('a constant makes a difference where it is used', () => {
	expect(evaluate('isOver(20)')).toMatchObject({
		value: true,
		different: ['size > LIMIT -> size <= LIMIT'],
	});
	expect(evaluate('isOver(11)')).toMatchObject({
		value: true,
		different: ['2 -> 3', '5 -> 6', 'size > LIMIT -> size <= LIMIT'],
	});
	expect(evaluate('isOver(10)').different).toContain('5 * 2 -> 5 / 2');
});

test('nothing is called once more, and what is written to stays', () => {
	expect(evaluate('const sizes = [7, 8, 9]; write(sizes, 0); sizes.join()')).toMatchObject({
		value: '7,2,9',
		calls: 1,
	});
});

test('a chain of optional members is computed as a whole', () => {
	const [alone, together] = ["nameOf({ name: 'a' })", "nameOf({ name: 'a', to: { name: 'b' } })"];
	expect([evaluate(alone).value, evaluate(together).value]).toEqual(['a', 'b']);
	expect(evaluate(alone).different).toContain('user.to?.name -> user.to.name');
	expect(evaluate(together).different).toEqual(['user.to?.name ?? user.name -> user.name']);
});

test('a fault that throws makes a difference', () => {
	expect(evaluate('lengthOf(null)').different).toContain('text === null -> text !== null');
});
