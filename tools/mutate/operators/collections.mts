/** Faults in lists and tables: an entry that is missing. */
import ts from 'typescript';

import type { Operator } from '../change.mts';
import { isAssignmentTarget, removeEntry } from '../change.mts';
import { isMessageEntry } from '../message.mts';

/** An entry of an array, and so of a set or map made of one, that is missing. */
export const removeElement: Operator = (node) => {
	if (!ts.isArrayLiteralExpression(node) || isAssignmentTarget(node)) return [];
	return node.elements.flatMap((_, index) => removeEntry('entry', node.elements, index));
};

/** A property of an object that is missing. */
export const removeProperty: Operator = (node) => {
	if (!ts.isObjectLiteralExpression(node) || isAssignmentTarget(node)) return [];
	return node.properties.flatMap((property, index) =>
		isMessageEntry(property) || ts.isMethodDeclaration(property) || ts.isAccessor(property)
			? []
			: removeEntry('property', node.properties, index),
	);
};
