import ts from 'typescript';

const { SyntaxKind, TypeFlags } = ts;

/** Methods and functions that only compute, whatever they are called on. */
const COMPUTING = new Set([
	...['has', 'get', 'includes', 'indexOf', 'startsWith', 'endsWith', 'at', 'slice', 'join', 'test'],
	...['exec', 'match', 'split'],
	...[
		'trim',
		'trimStart',
		'trimEnd',
		'toLowerCase',
		'toUpperCase',
		'padStart',
		'padEnd',
		'toString',
	],
	...['replace', 'replaceAll', 'charCodeAt', 'hasOwn', 'isArray', 'isInteger', 'isSafeInteger'],
	...['isFinite', 'isNaN', 'min', 'max', 'abs', 'floor', 'ceil', 'round', 'trunc', 'stringify'],
	...['String', 'Number', 'BigInt', 'Boolean'],
]);

/** Kinds of expressions that compute a value from those inside them, and do nothing else. */
const KINDS = new Set([
	...[SyntaxKind.Identifier, SyntaxKind.PrivateIdentifier, SyntaxKind.ThisKeyword],
	...[SyntaxKind.TrueKeyword, SyntaxKind.FalseKeyword, SyntaxKind.NullKeyword],
	...[SyntaxKind.StringLiteral, SyntaxKind.NumericLiteral, SyntaxKind.BigIntLiteral],
	...[SyntaxKind.NoSubstitutionTemplateLiteral, SyntaxKind.TemplateExpression],
	...[SyntaxKind.TemplateSpan, SyntaxKind.RegularExpressionLiteral, SyntaxKind.TypeOfExpression],
	...[SyntaxKind.ParenthesizedExpression, SyntaxKind.ConditionalExpression],
	...[SyntaxKind.PropertyAccessExpression, SyntaxKind.ElementAccessExpression],
	...[SyntaxKind.ArrayLiteralExpression, SyntaxKind.SpreadElement, SyntaxKind.AsExpression],
]);

const PRIMITIVE =
	TypeFlags.StringLike |
	TypeFlags.NumberLike |
	TypeFlags.BigIntLike |
	TypeFlags.BooleanLike |
	TypeFlags.Undefined |
	TypeFlags.Null;

/** Whether two values of a type can be compared: texts, numbers, and the like, and lists of them. */
function isComparable(type: ts.Type, checker: ts.TypeChecker): boolean {
	if (type.isUnion()) return type.types.every((one) => isComparable(one, checker));
	if ((type.flags & PRIMITIVE) !== 0) return true;
	if (/^RegExp(?:Exec|Match)Array$/.test(type.symbol?.name ?? '')) return true;
	if (!checker.isArrayType(type)) return false;
	const [entry] = checker.getTypeArguments(type as ts.TypeReference);
	return entry !== undefined && (isComparable(entry, checker) || entry.flags === TypeFlags.Never);
}

const isAssignment = (kind: ts.SyntaxKind): boolean =>
	kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment;

function computesByItself(node: ts.Node): boolean {
	if (ts.isCallExpression(node)) {
		const { expression: called } = node;
		const name = ts.isPropertyAccessExpression(called) ? called.name : called;
		return ts.isIdentifier(name) && COMPUTING.has(name.text);
	}
	if (ts.isBinaryExpression(node)) {
		const { kind } = node.operatorToken;
		return !isAssignment(kind) && kind !== SyntaxKind.CommaToken;
	}
	if (ts.isPrefixUnaryExpression(node)) {
		const { operator } = node;
		return operator !== SyntaxKind.PlusPlusToken && operator !== SyntaxKind.MinusMinusToken;
	}
	return KINDS.has(node.kind);
}

/** Whether an expression, and all inside it, only computes a value: it may be computed once more at any time. */
export function onlyComputes(node: ts.Node): boolean {
	if (!computesByItself(node)) return false;
	let isPure = true;
	ts.forEachChild(node, (child) => {
		isPure &&= ts.isTypeNode(child) || ts.isToken(child) || onlyComputes(child);
	});
	return isPure;
}

/** Whether a value is taken from here, and not written to or called. */
function isRead(node: ts.Node): node is ts.Expression {
	const { parent } = node;
	if (!ts.isExpression(node) || ts.isSpreadElement(node) || ts.isDeleteExpression(parent)) {
		return false;
	}
	if (ts.isCallLikeExpression(parent)) {
		return ts.isCallOrNewExpression(parent) && parent.expression !== node;
	}
	if (ts.isBinaryExpression(parent) && isAssignment(parent.operatorToken.kind)) {
		return parent.right === node;
	}
	const isCounted = ts.isPostfixUnaryExpression(parent) || ts.isPrefixUnaryExpression(parent);
	if (isCounted && !computesByItself(parent)) return false;
	// What follows `?.` belongs to it.
	return !ts.isOptionalChain(parent) || parent.expression !== node;
}

/**
 * The largest expression around a node that computes a text, a number, a list of them, or the like, and does nothing else. Where it gives
 * the same value with a fault as without, nobody can notice the fault.
 */
export function computationAround(
	node: ts.Node,
	checker: ts.TypeChecker,
): ts.Expression | undefined {
	let largest: ts.Expression | undefined;
	for (let one = node; onlyComputes(one); one = one.parent) {
		if (!isRead(one)) continue;
		if (isComparable(checker.getTypeAtLocation(one), checker)) largest = one;
	}
	return largest;
}
