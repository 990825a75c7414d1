/** Faults in what is written out: booleans, numbers, texts. */
import ts from 'typescript';

import type { Operator } from '../change.mts';
import { replace } from '../change.mts';
import { isMessage } from '../message.mts';

const { SyntaxKind } = ts;

/** Stands where a text should be empty. */
const SOME_TEXT = 'mutant';

/** Whether taking the whole entry out of its list says as much as changing it. */
const isEntry = (node: ts.Node): boolean => ts.isArrayLiteralExpression(node.parent);

/** Whether it is compared with a `typeof`: taking the comparison for its opposite says as much. */
const isTypeName = ({ parent }: ts.Node): boolean =>
	ts.isBinaryExpression(parent) && ts.isTypeOfExpression(parent.left);

export const changeBoolean: Operator = (node) => {
	if (node.kind === SyntaxKind.TrueKeyword) return [replace('boolean', node, 'false')];
	return node.kind === SyntaxKind.FalseKeyword ? [replace('boolean', node, 'true')] : [];
};

export const changeNumber: Operator = (node) => {
	if (isEntry(node)) return [];
	if (ts.isNumericLiteral(node)) return [replace('number', node, String(Number(node.text) + 1))];
	if (!ts.isBigIntLiteral(node)) return [];
	return [replace('number', node, `${BigInt(node.text.slice(0, -1)) + 1n}n`)];
};

/** The texts that may stand at a place, where its type names them. */
function namedTexts(node: ts.Expression, checker: ts.TypeChecker): string[] {
	const { parent } = node;
	const isCompared = ts.isBinaryExpression(parent) && parent.right === node;
	const type = isCompared
		? checker.getTypeAtLocation(parent.left)
		: checker.getContextualType(node);
	const types = type?.isUnion() ? type.types : [];
	return types.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
}

/** A text taken for the next one that its type allows, or else for an empty one. */
export const changeText: Operator = (node, checker) => {
	if (!ts.isStringLiteralLike(node) || ts.isTaggedTemplateExpression(node.parent)) return [];
	if (isEntry(node) || isTypeName(node) || isMessage(node, checker)) return [];
	const names = namedTexts(node, checker);
	const next = names[(names.indexOf(node.text) + 1) % names.length];
	const isNamed = names.length > 1 && names.includes(node.text) && next !== undefined;
	const fallback = node.text === '' ? SOME_TEXT : '';
	return [replace('text', node, `'${isNamed ? next : fallback}'`)];
};

export const emptyTemplate: Operator = (node, checker) => {
	if (!ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node.parent)) return [];
	return isEntry(node) || isMessage(node, checker) ? [] : [replace('text', node, '``')];
};
