/** Faults in what decides: conditions, `&&` and `||`, comparisons, `!`, and `??`. */
import ts from 'typescript';

import type { Change, Operator } from '../change.mts';
import { replace } from '../change.mts';

const { SyntaxKind } = ts;

/** What a comparison could be taken for: its neighbour at the boundary, and its opposite. */
const COMPARISONS: Readonly<Record<string, readonly string[]>> = {
	'<': ['<=', '>='],
	'<=': ['<', '>'],
	'>': ['>=', '<='],
	'>=': ['>', '<'],
	'===': ['!=='],
	'!==': ['==='],
	'==': ['!='],
	'!=': ['=='],
};

const isComparison = (node: ts.Node): boolean =>
	ts.isBinaryExpression(node) && node.operatorToken.getText() in COMPARISONS;

const isNegation = (node: ts.Node): node is ts.PrefixUnaryExpression =>
	ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken;

/** The condition of a statement or of `a ? b : c`. */
function conditionOf(node: ts.Node): ts.Expression | undefined {
	if (ts.isConditionalExpression(node) || ts.isForStatement(node)) return node.condition;
	const decides = ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node);
	return decides ? node.expression : undefined;
}

/** A condition that is negated. Comparisons and `!` are left to their own operators, which would give the same. */
export const negateCondition: Operator = (node) => {
	const condition = conditionOf(node);
	if (condition === undefined || isComparison(condition) || isNegation(condition)) return [];
	return [replace('condition', condition, `!(${condition.getText()})`)];
};

export const dropNegation: Operator = (node) => {
	if (!isNegation(node) || isNegation(node.operand)) return [];
	return [replace('negation', node, node.operand.getText())];
};

export const changeComparison: Operator = (node) => {
	if (!ts.isBinaryExpression(node)) return [];
	const { left, operatorToken, right } = node;
	const others = COMPARISONS[operatorToken.getText()] ?? [];
	return others.map((other) =>
		replace('comparison', node, `${left.getText()} ${other} ${right.getText()}`),
	);
};

/** An operand of `||` as `&&` takes it whole. */
function bound(node: ts.Expression): string {
	const text = node.getText();
	const isOr = ts.isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.BarBarToken;
	return isOr ? `(${text})` : text;
}

/** `&&` taken for `||` and the reverse, and each side left out. */
export const changeLogic: Operator = (node) => {
	if (!ts.isBinaryExpression(node)) return [];
	const { left, operatorToken, right } = node;
	const isAnd = operatorToken.kind === SyntaxKind.AmpersandAmpersandToken;
	if (!isAnd && operatorToken.kind !== SyntaxKind.BarBarToken) return [];
	const [one, other] = isAnd ? [left.getText(), right.getText()] : [bound(left), bound(right)];
	const swapped = `${one} ${isAnd ? '||' : '&&'} ${other}`;
	const swap: Change = { ...replace('logic', node, `(${swapped})`), after: swapped };
	return [
		swap,
		replace('operand', node, left.getText()),
		replace('operand', node, right.getText()),
	];
};

/** `a ?? b` that always takes one side. */
export const changeFallback: Operator = (node) => {
	if (!ts.isBinaryExpression(node)) return [];
	if (node.operatorToken.kind !== SyntaxKind.QuestionQuestionToken) return [];
	return [node.right, node.left].map((side) => replace('fallback', node, side.getText()));
};
