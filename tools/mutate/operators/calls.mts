/** Faults in calls: `?.` taken for `.`, a call left out or taken for its counterpart. */
import ts from 'typescript';

import type { Operator } from '../change.mts';
import { replace } from '../change.mts';

/** Methods that give back a changed copy of what they are called on. */
const COPIES = new Set([
	...[
		'toLowerCase',
		'toUpperCase',
		'trim',
		'trimStart',
		'trimEnd',
		'normalize',
		'padStart',
		'padEnd',
	],
	...[
		'replace',
		'replaceAll',
		'slice',
		'filter',
		'sort',
		'toSorted',
		'reverse',
		'toReversed',
		'flat',
	],
]);

const COUNTERPARTS: Readonly<Record<string, string>> = {
	some: 'every',
	every: 'some',
	startsWith: 'endsWith',
	endsWith: 'startsWith',
	min: 'max',
	max: 'min',
};

export const dropOptional: Operator = (node) => {
	if (!ts.isPropertyAccessChain(node) && !ts.isElementAccessChain(node) && !ts.isCallChain(node)) {
		return [];
	}
	const { questionDotToken } = node;
	if (questionDotToken === undefined) return [];
	const text = ts.isPropertyAccessChain(node) ? '.' : '';
	const change = replace('optional', questionDotToken, text);
	const whole = node.getText();
	const at = change.start - node.getStart();
	return [
		{ ...change, node, before: whole, after: whole.slice(0, at) + text + whole.slice(at + 2) },
	];
};

/** `text.trim()` taken for `text`. */
export const dropCall: Operator = (node) => {
	if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
	const { expression: receiver, name } = node.expression;
	return COPIES.has(name.text) ? [replace('call', node, receiver.getText())] : [];
};

/** `some` taken for `every`, `startsWith` for `endsWith`, and so on. */
export const changeMethod: Operator = (node) => {
	if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
	const { name } = node.expression;
	if (!Object.hasOwn(COUNTERPARTS, name.text)) return [];
	return [replace('method', name, COUNTERPARTS[name.text] ?? '')];
};
