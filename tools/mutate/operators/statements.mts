/** Faults in what is done: statements left out, blocks emptied. */
import ts from 'typescript';

import type { Operator } from '../change.mts';
import { remove, replace } from '../change.mts';

const { SyntaxKind, TypeFlags } = ts;

/** Whether statements stand one after the other in a node. */
const isList = (node: ts.Node): boolean =>
	ts.isBlock(node) || ts.isSourceFile(node) || ts.isCaseOrDefaultClause(node);

const isSuperCall = (node: ts.Statement): boolean =>
	ts.isExpressionStatement(node) &&
	ts.isCallExpression(node.expression) &&
	node.expression.expression.kind === SyntaxKind.SuperKeyword;

/** Whether a function ends with this statement whatever happened before. */
function isLast(node: ts.Statement): boolean {
	const { parent } = node;
	return (
		ts.isBlock(parent) && ts.isFunctionLike(parent.parent) && parent.statements.at(-1) === node
	);
}

/** Whether a statement can be left out alone. */
function isRemovable(node: ts.Node): node is ts.Statement {
	if (ts.isReturnStatement(node)) return !isLast(node);
	if (ts.isExpressionStatement(node))
		return !isSuperCall(node) && !ts.isStringLiteral(node.expression);
	return ts.isThrowStatement(node) || ts.isBreakOrContinueStatement(node);
}

/** A call, an assignment, a `throw`, an early `return`, or a `break` that is left out. */
export const removeStatement: Operator = (node) =>
	isRemovable(node) ? [remove('statement', node, isList(node.parent) ? '' : ';')] : [];

/** A block that does nothing. One whose only statement can be left out alone would be the same once more. */
export const emptyBlock: Operator = (node) => {
	if (!ts.isBlock(node)) return [];
	const [first, second] = node.statements;
	if (first === undefined || node.statements.some(isSuperCall)) return [];
	if (second === undefined && isRemovable(first)) return [];
	return [{ ...replace('block', node, '{}'), node: first }];
};

const isAssignment = (kind: ts.SyntaxKind): boolean =>
	kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;

/** Whether a function's result is of no use to anybody: it was called for what it does. */
function isForEffect(body: ts.Expression, checker: ts.TypeChecker): boolean {
	if (ts.isDeleteExpression(body)) return true;
	if (!ts.isCallExpression(body) && !ts.isAwaitExpression(body)) {
		return ts.isBinaryExpression(body) && isAssignment(body.operatorToken.kind);
	}
	const type = checker.getTypeAtLocation(body);
	const value = checker.getAwaitedType(type) ?? type;
	return (value.flags & (TypeFlags.Void | TypeFlags.Undefined)) !== 0;
}

/** `() => notify()` that does nothing. */
export const emptyArrow: Operator = (node, checker) => {
	if (!ts.isArrowFunction(node) || ts.isBlock(node.body)) return [];
	return isForEffect(node.body, checker) ? [replace('block', node.body, 'undefined')] : [];
};
