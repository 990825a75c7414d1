import type ts from 'typescript';

import { COMPARED } from './comparer.mts';
import type { Constant } from './constants.mts';
import { constantAround } from './constants.mts';
import type { Mutant } from './mutants.mts';
import { computationAround } from './pure.mts';

/** What faults make of a computation. */
export interface Compared {
	readonly computation: ts.Expression;
	/** The code that stands for it with each fault. */
	readonly versions: Map<Mutant, string>;
}

/** The code of a node with a mutant in it; `undefined` when the mutant lies elsewhere, or leaves nothing. */
function codeWith({ start, end, text }: Mutant, node: ts.Node): string | undefined {
	const first = node.getStart();
	if (start < first || end > node.end) return undefined;
	const code = node.getText();
	const changed = code.slice(0, start - first) + text + code.slice(end - first);
	return changed === '' ? undefined : changed;
}

/** The code of a node with another value for a constant. */
function codeWithConstant(node: ts.Node, { uses }: Constant, value: string): string {
	const first = node.getStart();
	let code = '';
	let end = first;
	for (const use of uses) {
		if (use.getStart() < first || use.end > node.end) continue;
		code += `${node.getText().slice(end - first, use.getStart() - first)}(${value})`;
		end = use.end;
	}
	return code + node.getText().slice(end - first);
}

/** What a mutant makes of computations, when it does nothing else; by computation. */
function versionsOf(mutant: Mutant, checker: ts.TypeChecker): Map<ts.Expression, string> {
	const constant = constantAround(mutant.node, checker);
	const value = constant && codeWith(mutant, constant.initializer);
	if (constant !== undefined && value !== undefined) {
		const computations = constant.uses.map((use) => computationAround(use, checker));
		if (computations.includes(undefined)) return new Map();
		const known = computations.filter((one) => one !== undefined);
		return new Map(known.map((one) => [one, codeWithConstant(one, constant, value)]));
	}
	const computation = computationAround(mutant.node, checker);
	const code = computation && codeWith(mutant, computation);
	return new Map(computation && code !== undefined ? [[computation, code]] : []);
}

/** All mutants that change nothing but the values of computations. */
export function comparable(mutants: readonly Mutant[], checker: ts.TypeChecker): Compared[] {
	const all = new Map<ts.Node, Compared>();
	for (const mutant of mutants) {
		for (const [computation, code] of versionsOf(mutant, checker)) {
			const compared = all.get(computation) ?? { computation, versions: new Map() };
			all.set(computation, compared);
			compared.versions.set(mutant, code);
		}
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
	for (const { computation, versions } of inOrder) {
		const codes = [...versions].map(([mutant, code]) => `[${numberOf(mutant)}, () => (${code})]`);
		text += source.text.slice(end, computation.getStart());
		text += `globalThis.${COMPARED}(() => (${computation.getText()}), () => [${codes.join(', ')}])`;
		end = computation.end;
	}
	return text + source.text.slice(end);
}
