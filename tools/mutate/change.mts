import ts from 'typescript';

/** One fault that could have been made in a source file: a piece of its text and what would stand there instead. */
export interface Change {
	/** What kind of fault it is, for example `boundary`. */
	readonly kind: string;
	readonly start: number;
	readonly end: number;
	readonly text: string;
	/** What people are shown: the piece before and after. */
	readonly before: string;
	readonly after: string;
	/** A test has to run this node to notice the fault. */
	readonly node: ts.Node;
}

/** Finds the faults of its kind in one node; its children are asked for separately. */
export type Operator = (node: ts.Node, checker: ts.TypeChecker) => Change[];

/** What stands in a report for a piece that is taken out. */
export const REMOVED = '(removed)';

/** Replaces a node's text. */
export function replace(kind: string, node: ts.Node, text: string): Change {
	const before = node.getText();
	return { kind, start: node.getStart(), end: node.end, text, before, after: text, node };
}

/** Takes a node out; `placeholder` is what the grammar needs in its place. */
export function remove(kind: string, node: ts.Node, placeholder = ''): Change {
	return { ...replace(kind, node, placeholder), after: REMOVED };
}

/** Takes one entry out of a list that commas separate. */
export function removeEntry(kind: string, entries: ts.NodeArray<ts.Node>, index: number): Change[] {
	const [previous, entry, next] = [entries[index - 1], entries[index], entries[index + 1]];
	if (entry === undefined) return [];
	const start = next === undefined && previous !== undefined ? previous.end : entry.getStart();
	const end = next === undefined ? entry.end : next.getStart();
	return [{ ...remove(kind, entry), start, end }];
}

/** Whether a literal is written to on the left of an assignment: `[a, b] = pair`. */
export function isAssignmentTarget(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isForOfStatement(parent)) return parent.initializer === node;
	return (
		ts.isBinaryExpression(parent) &&
		parent.left === node &&
		parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
	);
}
