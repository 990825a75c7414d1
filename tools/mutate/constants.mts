import ts from 'typescript';

import { onlyComputes } from './pure.mts';

/** A constant at the top of a module that only the module itself uses. */
export interface Constant {
	readonly initializer: ts.Expression;
	/** Wherever it is used. */
	readonly uses: readonly ts.Identifier[];
}

/** A pattern that goes on where it stopped the last time. */
const isStateful = (node: ts.Node): boolean =>
	ts.isRegularExpressionLiteral(node) && /\/[a-z]*[gy][a-z]*$/.test(node.text);

/** Whether an expression makes the same value whenever it is asked for: a pattern, a set, a number. */
function isFixed(node: ts.Expression): boolean {
	if (ts.isNewExpression(node)) {
		const makesTable = ['Set', 'Map'].includes(node.expression.getText());
		return makesTable && (node.arguments ?? []).every(onlyComputes);
	}
	return onlyComputes(node) && !isStateful(node);
}

/** Whether an identifier stands for the value, and not for a name or a type. */
const isUse = ({ parent }: ts.Node): boolean =>
	ts.isExpression(parent) || ts.isVariableDeclaration(parent) || ts.isTemplateSpan(parent);

/** The constant at the top of a module that a node lies in, when all its uses are known. */
export function constantAround(node: ts.Node, checker: ts.TypeChecker): Constant | undefined {
	let declaration = node;
	while (!ts.isVariableDeclaration(declaration)) {
		if (ts.isSourceFile(declaration)) return undefined;
		declaration = declaration.parent;
	}
	const { name, initializer, parent: list } = declaration;
	const statement = list.parent;
	if (!ts.isVariableStatement(statement) || !ts.isSourceFile(statement.parent)) return undefined;
	if (!ts.isIdentifier(name) || initializer === undefined || !isFixed(initializer))
		return undefined;
	if (statement.modifiers !== undefined) return undefined;
	const symbol = checker.getSymbolAtLocation(name);
	const uses: ts.Identifier[] = [];
	let areKnown = true;
	const visit = (one: ts.Node): void => {
		if (ts.isTypeNode(one)) return;
		if (ts.isIdentifier(one) && one !== name && one.text === name.text) {
			const isOther = checker.getSymbolAtLocation(one) !== symbol;
			if (!isOther) uses.push(one);
			areKnown &&= isUse(one) || (isOther && !ts.isShorthandPropertyAssignment(one.parent));
		}
		ts.forEachChild(one, visit);
	};
	visit(statement.parent);
	return areKnown ? { initializer, uses } : undefined;
}
