import ts from 'typescript';

import type { Mutant } from './mutants.mts';
import type { Project, SourceFile } from './project.mts';
import { regionAround } from './regions.mts';
import type { ReachingTest } from './test-files.mts';

/** Where a declaration at the top of a module is used. */
interface Uses {
	/** Numbers of the regions that name it. */
	readonly regions: Set<number>;
	/** Other declarations at the top of a module that name it. */
	readonly declarations: Set<ts.Node>;
}

/** The declaration at the top of a module that a node lies in. */
function declarationAround(node: ts.Node): ts.Node | undefined {
	for (let one = node; !ts.isSourceFile(one); one = one.parent) {
		const isVariable = ts.isVariableDeclaration(one) && ts.isSourceFile(one.parent.parent.parent);
		if (isVariable || (ts.isClassDeclaration(one) && ts.isSourceFile(one.parent))) return one;
	}
	return undefined;
}

/** The declaration at the top of a module that an identifier stands for, wherever it was imported from. */
function declarationOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Node | undefined {
	const symbol = ts.isShorthandPropertyAssignment(node.parent)
		? checker.getShorthandAssignmentValueSymbol(node.parent)
		: checker.getSymbolAtLocation(node);
	if (symbol === undefined) return undefined;
	const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
	let declared: ts.Node | undefined = isAlias
		? checker.getAliasedSymbol(symbol).valueDeclaration
		: symbol.valueDeclaration;
	while (declared !== undefined && ts.isBindingElement(declared)) declared = declared.parent.parent;
	return declared !== undefined && declared === declarationAround(declared) ? declared : undefined;
}

/** Knows which tests can notice a fault. */
export class TestsToRun {
	readonly #project: Project;

	/** All tests that are run at all. */
	readonly tests: readonly ReachingTest[];

	readonly #numbers = new Map<ts.Node, number>();

	readonly #found = new Map<Mutant, ReachingTest[]>();

	#uses: Map<ts.Node, Uses> | undefined;

	constructor(project: Project, tests: readonly ReachingTest[]) {
		this.#project = project;
		this.tests = tests;
		for (const { regions, firstRegion } of project.files) {
			regions.forEach(({ node }, index) => this.#numbers.set(node, firstRegion + index));
		}
	}

	/** The tests that reach a mutant. */
	for(mutant: Mutant): ReachingTest[] {
		const found = this.#found.get(mutant) ?? this.#find(mutant);
		this.#found.set(mutant, found);
		return found;
	}

	#find({ node, file }: Mutant): ReachingTest[] {
		const number = regionAround(node, this.#numbers);
		if (number !== undefined) return this.#reaching(new Set([number]));
		const declaration = declarationAround(node);
		const source = this.#project.files.find((one) => one.file === file);
		if (source === undefined) return [];
		const module = source.firstRegion + source.regions.length;
		if (declaration === undefined) return this.#reaching(new Set([module]));
		const named = this.#naming(declaration, module);
		return [...new Set([...this.#reaching(this.#usesOf(declaration)), ...named])];
	}

	#reaching(numbers: ReadonlySet<number>): ReachingTest[] {
		return this.tests.filter(({ reached }) => [...numbers].some((number) => reached.has(number)));
	}

	/** Tests that use a declaration by themselves. */
	#naming(declaration: ts.Node, module: number): ReachingTest[] {
		if (!ts.isVariableDeclaration(declaration)) return [];
		const name = new RegExp(`\\b${declaration.name.getText().replaceAll('$', '\\$')}\\b`);
		return this.tests.filter(({ reached, text }) => reached.has(module) && name.test(text));
	}

	/** The regions that use a declaration, also by way of other declarations. */
	#usesOf(declaration: ts.Node): Set<number> {
		this.#uses ??= this.#findUses();
		const numbers = new Set<number>();
		const declarations = new Set([declaration]);
		for (const one of declarations) {
			const uses = this.#uses.get(one);
			uses?.regions.forEach((number) => numbers.add(number));
			uses?.declarations.forEach((other) => declarations.add(other));
		}
		return numbers;
	}

	#findUses(): Map<ts.Node, Uses> {
		const uses = new Map<ts.Node, Uses>();
		for (const file of this.#project.files) this.#findUsesIn(file, uses);
		return uses;
	}

	#findUsesIn({ source, regions, firstRegion }: SourceFile, uses: Map<ts.Node, Uses>): void {
		const module = firstRegion + regions.length;
		const visit = (node: ts.Node): void => {
			if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
			if (ts.isIdentifier(node)) {
				const used = declarationOf(node, this.#project.checker);
				if (used !== undefined) note(used, node);
			}
			ts.forEachChild(node, visit);
		};
		const note = (used: ts.Node, node: ts.Node): void => {
			if (ts.isVariableDeclaration(used) && used.name === node) return;
			const found = uses.get(used) ?? { regions: new Set(), declarations: new Set() };
			uses.set(used, found);
			const number = regionAround(node, this.#numbers);
			const declaration = declarationAround(node);
			if (number !== undefined) found.regions.add(number);
			else if (declaration !== undefined) found.declarations.add(declaration);
			else if (!ts.isExportSpecifier(node.parent)) found.regions.add(module);
		};
		visit(source);
	}
}
