import ts from 'typescript';

/** Properties and parameters whose texts are written for people. */
const FOR_PEOPLE = new Set([
	...['message', 'hint', 'description', 'displayName', 'placeholder', 'action', 'subtitle'],
]);

/** As many words in a row make a sentence. */
const SENTENCE = /\p{L}+[,:]?\s+\S+\s+\S/u;

/** The fixed parts of a text. */
function wordsOf(node: ts.Node): string {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return '';
	return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('_');
}

/** Whether an argument is given to a parameter whose texts are written for people. */
function isArgumentForPeople(node: ts.Node, call: ts.CallLikeExpression, checker: ts.TypeChecker) {
	if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) return false;
	const index = call.arguments?.findIndex((argument) => argument === node) ?? -1;
	const parameter = checker.getResolvedSignature(call)?.parameters[index];
	return parameter !== undefined && FOR_PEOPLE.has(parameter.name);
}

/** Whether a value only becomes part of its parent's text: `a ? 'b' : 'c'`, `${a}`. */
function isPartOfText({ parent }: ts.Node): boolean {
	return (
		ts.isConditionalExpression(parent) ||
		ts.isParenthesizedExpression(parent) ||
		ts.isTemplateSpan(parent) ||
		ts.isTemplateExpression(parent)
	);
}

/**
 * Whether a text is read by people only: its wording decides nothing, and tests should not depend on all of it.
 */
export function isMessage(text: ts.Node, checker: ts.TypeChecker): boolean {
	if (SENTENCE.test(wordsOf(text))) return true;
	let node = text;
	while (isPartOfText(node)) node = node.parent;
	const { parent } = node;
	if (ts.isPropertyAssignment(parent)) return FOR_PEOPLE.has(parent.name.getText());
	return ts.isCallLikeExpression(parent) && isArgumentForPeople(node, parent, checker);
}

/** Whether an entry of an object holds texts for people, and nothing else. */
export function isMessageEntry(node: ts.Node): boolean {
	if (!ts.isObjectLiteralElementLike(node)) return false;
	if (FOR_PEOPLE.has(node.name?.getText() ?? '')) return true;
	if (!ts.isPropertyAssignment(node) || !ts.isObjectLiteralExpression(node.initializer))
		return false;
	const { properties } = node.initializer;
	return properties.length > 0 && properties.every(isMessageEntry);
}
