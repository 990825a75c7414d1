import ts from 'typescript';

/**
 * A piece of code that runs as a whole or not at all: a statement, a branch of an expression, a value by default.
 * Tests that do not reach it cannot notice a fault in it.
 */
export interface Region {
	readonly node: ts.Node;
	/** What the grammar allows to be put before it. */
	readonly shape: 'listed' | 'single' | 'expression';
}

const isDeclaration = (node: ts.Node): boolean =>
	ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isTypeAliasDeclaration(node);

/** Operators that may do without their right side. */
const SHORT_CUTS = new Set(['&&', '||', '??', '&&=', '||=', '??=']);

/** Whether a node is an expression that may be left out of a run although the statement around it runs. */
function isBranch(node: ts.Node): boolean {
	const { parent } = node;
	if (ts.isArrowFunction(parent)) return parent.body === node && !ts.isBlock(node);
	if (ts.isConditionalExpression(parent)) return parent.condition !== node && ts.isExpression(node);
	if (ts.isBinaryExpression(parent)) {
		const { operatorToken, right } = parent;
		return right === node && SHORT_CUTS.has(operatorToken.getText());
	}
	const hasDefault = ts.isParameter(parent) || ts.isBindingElement(parent);
	return (hasDefault || ts.isPropertyDeclaration(parent)) && parent.initializer === node;
}

function shapeOf(node: ts.Node): Region['shape'] | undefined {
	if (isBranch(node)) return 'expression';
	if (!ts.isStatement(node) || ts.isBlock(node) || isDeclaration(node)) return undefined;
	if (ts.isBlock(node.parent) || ts.isCaseOrDefaultClause(node.parent)) return 'listed';
	// `continue label` needs the loop right behind its label.
	return ts.isSourceFile(node.parent) || ts.isLabeledStatement(node.parent) ? undefined : 'single';
}

/** All regions of a source file, outer ones first. */
export function regionsOf(source: ts.SourceFile): Region[] {
	const regions: Region[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node)) return;
		const shape = shapeOf(node);
		if (shape !== undefined) regions.push({ node, shape });
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(source, visit);
	return regions;
}

const AROUND = {
	listed: [(mark: string) => `${mark}; `, ''],
	single: [(mark: string) => `{ ${mark}; `, ' }'],
	expression: [(mark: string) => `(${mark}, `, ')'],
} as const;

/** Calls the function that tests are given under this name with the number of each region that is reached. */
export const REACHED = '__reached';

const markOf = (number: number): string => `globalThis.${REACHED}?.(${number})`;

/**
 * The source with a call at the beginning of each region that tells its number.
 *
 * @param first number of the first region; the number after the last region's stands for the module as a whole
 */
export function instrumented(
	source: ts.SourceFile,
	regions: readonly Region[],
	first: number,
): string {
	const inserted = regions.flatMap(({ node, shape }, index) => {
		const [before, after] = AROUND[shape];
		return [
			{ at: node.getStart(), order: index, text: before(markOf(first + index)) },
			// What begins later ends earlier; whatever ends at a place ends before the next begins there.
			{ at: node.end, order: -1 - index, text: after },
		];
	});
	inserted.sort((one, other) => one.at - other.at || one.order - other.order);
	let text = '';
	let end = 0;
	for (const { at, text: mark } of inserted) {
		text += source.text.slice(end, at) + mark;
		end = at;
	}
	return `${text}${source.text.slice(end)}\n${markOf(first + regions.length)};\n`;
}

/** The region that a node lies in; `undefined` when it runs as soon as its module is loaded. */
export function regionAround<T>(node: ts.Node, regions: ReadonlyMap<ts.Node, T>): T | undefined {
	for (let one = node; !ts.isSourceFile(one); one = one.parent) {
		const region = regions.get(one);
		if (region !== undefined) return region;
	}
	return undefined;
}
