import ts from 'typescript';

import type { Change, Operator } from './change.mts';
import { changeArithmetic, changeUnary } from './operators/arithmetic.mts';
import { changeMethod, dropCall, dropOptional } from './operators/calls.mts';
import { removeElement, removeProperty } from './operators/collections.mts';
import {
	changeComparison,
	changeFallback,
	changeLogic,
	dropNegation,
	negateCondition,
} from './operators/conditions.mts';
import { changeBoolean, changeNumber, changeText, emptyTemplate } from './operators/literals.mts';
import { changePattern } from './operators/regular-expressions.mts';
import { emptyArrow, emptyBlock, removeStatement } from './operators/statements.mts';

const OPERATORS: readonly Operator[] = [
	...[negateCondition, dropNegation, changeComparison, changeLogic, changeFallback],
	...[changeArithmetic, changeUnary, changeBoolean, changeNumber, changeText, emptyTemplate],
	...[removeStatement, emptyBlock, emptyArrow, removeElement, removeProperty],
	...[dropOptional, dropCall, changeMethod, changePattern],
];

/** One changed version of a source file. */
export interface Mutant extends Change {
	/** Path from the repository's root. */
	readonly file: string;
	/** Counted from 1. */
	readonly line: number;
	/** Names the mutant in later versions of the file too, as long as the code around it stays as it is. */
	readonly key: string;
}

/** Longest piece of code that a report shows. */
const MAX_SHOWN = 90;

/** Whether a node is gone once the program runs, or only gives a name. */
function isWithoutEffect(node: ts.Node): boolean {
	if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
		return true;
	}
	if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
	return ts.isPropertyName(node) && isNameOfParent(node);
}

const isNameOfParent = (node: ts.Node): boolean =>
	'name' in node.parent && node.parent.name === node && !ts.isComputedPropertyName(node);

/** Code on one line, its middle left out when it is long. */
export function shorten(code: string): string {
	const line = code.replace(/\s+/g, ' ').trim();
	if (line.length <= MAX_SHOWN) return line;
	const half = (MAX_SHOWN - 5) / 2;
	return `${line.slice(0, Math.ceil(half))} ... ${line.slice(-Math.floor(half))}`;
}

/** All faults that are tried in a source file, in the order of the file. */
export function changesOf(source: ts.SourceFile, checker: ts.TypeChecker): Change[] {
	const found = new Map<string, Change>();
	const visit = (node: ts.Node): void => {
		if (isWithoutEffect(node)) return;
		for (const operator of OPERATORS) {
			for (const change of operator(node, checker)) {
				const { start, end, text } = change;
				const key = `${start} ${end} ${text}`;
				if (!found.has(key)) found.set(key, change);
			}
		}
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(source, visit);
	return [...found.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}

/** All mutants of a source file. */
export function mutantsOf(file: string, source: ts.SourceFile, checker: ts.TypeChecker): Mutant[] {
	const seen = new Map<string, number>();
	return changesOf(source, checker).map((change) => {
		const name = `${file}: ${change.before} -> ${change.after}`;
		const count = (seen.get(name) ?? 0) + 1;
		seen.set(name, count);
		const { line } = source.getLineAndCharacterOfPosition(change.start);
		return { ...change, file, line: line + 1, key: `${name} (${count})` };
	});
}

/** The source with the fault in it. */
export function mutated(source: string, { start, end, text }: Change): string {
	return source.slice(0, start) + text + source.slice(end);
}
