/** Faults in arithmetic: one operator taken for another, a sign left out. */
import ts from 'typescript';

import type { Operator } from '../change.mts';
import { replace } from '../change.mts';

const { SyntaxKind, TypeFlags } = ts;

const OTHERS: Readonly<Record<string, string>> = {
	'+': '-',
	'-': '+',
	'*': '/',
	'/': '*',
	'%': '*',
	'**': '*',
	'<<': '>>',
	'>>': '<<',
	'&': '|',
	'|': '&',
	'^': '&',
	'+=': '-=',
	'-=': '+=',
	'*=': '/=',
	'/=': '*=',
};

/** Whether `+` joins texts here. */
const isText = (node: ts.Node, checker: ts.TypeChecker): boolean =>
	(checker.getTypeAtLocation(node).flags & TypeFlags.StringLike) !== 0;

export const changeArithmetic: Operator = (node, checker) => {
	if (!ts.isBinaryExpression(node)) return [];
	const { left, operatorToken, right } = node;
	const other = OTHERS[operatorToken.getText()];
	if (other === undefined || isText(node, checker)) return [];
	return [replace('arithmetic', node, `${left.getText()} ${other} ${right.getText()}`)];
};

/** `++` taken for `--` and the reverse; `-x` taken for `x`. */
export const changeUnary: Operator = (node) => {
	if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return [];
	const operand = node.operand.getText();
	if (node.operator === SyntaxKind.MinusToken) return [replace('arithmetic', node, operand)];
	const isIncrement = node.operator === SyntaxKind.PlusPlusToken;
	if (!isIncrement && node.operator !== SyntaxKind.MinusMinusToken) return [];
	const other = isIncrement ? '--' : '++';
	const text = ts.isPrefixUnaryExpression(node) ? `${other}${operand}` : `${operand}${other}`;
	return [replace('arithmetic', node, text)];
};
