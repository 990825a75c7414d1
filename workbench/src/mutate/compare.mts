import type ts from 'typescript';

import { COMPARED } from './comparer.mts';
import type { Mutant } from './mutants.mts';
import { computationAround } from './pure.mts';

/** A computation, and the mutants that lie in it. */
export interface Compared {
	readonly computation: ts.Expression;
	readonly mutants: Mutant[];
}

/** Whether a mutant leaves an expression where the computation was. */
function liesIn({ start, end, text }: Mutant, computation: ts.Expression): boolean {
	const isWhole = start === computation.getStart() && end === computation.end;
	return start >= computation.getStart() && end <= computation.end && !(isWhole && text === '');
}

/** The mutants that change nothing but the value of a computation. */
export function comparable(mutants: readonly Mutant[], checker: ts.TypeChecker): Compared[] {
	const all = new Map<ts.Node, Compared>();
	for (const mutant of mutants) {
		const computation = computationAround(mutant.node, checker);
		if (computation === undefined || !liesIn(mutant, computation)) continue;
		const compared = all.get(computation) ?? { computation, mutants: [] };
		all.set(computation, compared);
		compared.mutants.push(mutant);
	}
	return [...all.values()];
}

/** The source with each of the computations made with and without its faults. */
export function comparing(
	source: ts.SourceFile,
	all: readonly Compared[],
	numberOf: (mutant: Mutant) => number,
): string {
	let text = '';
	let end = 0;
	const inOrder = [...all].sort((one, other) => one.computation.pos - other.computation.pos);
	for (const { computation, mutants } of inOrder) {
		const start = computation.getStart();
		const code = computation.getText();
		const versions = mutants.map((mutant) => {
			const [from, to] = [mutant.start - start, mutant.end - start];
			const version = `${code.slice(0, from)}${mutant.text}${code.slice(to)}`;
			return `[${numberOf(mutant)}, () => (${version})]`;
		});
		text += source.text.slice(end, start);
		text += `globalThis.${COMPARED}(() => (${code}), () => [${versions.join(', ')}])`;
		end = computation.end;
	}
	return text + source.text.slice(end);
}
