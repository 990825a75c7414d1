/** Parses Markdown as GitHub does, for the tests of the documents. */
import GithubSlugger from 'github-slugger';
import type { Nodes, Root, RootContent, TableCell } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** A heading and the content below it, up to the next heading of any depth. */
export interface Section {
	readonly title: string;
	/** GitHub's anchor for the heading. */
	readonly anchor: string;
	readonly nodes: readonly RootContent[];
}

/** A row of a table: its cells, by the heading of the column. */
export type TableRow = Readonly<Record<string, TableCell>>;

export const parseMarkdown = (text: string): Root =>
	fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

/** The text of a node as a reader sees it. */
export function textOf(node: Nodes): string {
	if ('value' in node) return node.value;
	return 'children' in node ? node.children.map(textOf).join('') : '';
}

/** All nodes of a kind in a node, including the node itself, in the order of the document. */
export function nodesOf<Type extends Nodes['type']>(
	node: Nodes,
	type: Type,
): Extract<Nodes, { type: Type }>[] {
	const isOfType = (one: Nodes): one is Extract<Nodes, { type: Type }> => one.type === type;
	return [
		...(isOfType(node) ? [node] : []),
		...('children' in node ? node.children.flatMap((child) => nodesOf(child, type)) : []),
	];
}

/** The text of each inline code span in a node. */
export const codesIn = (node: Nodes | undefined): string[] =>
	node === undefined ? [] : nodesOf(node, 'inlineCode').map(({ value }) => value);

/** The contents of the JSON code blocks among some nodes. */
export const jsonBlocks = (nodes: readonly Nodes[]): string[] =>
	nodes.flatMap((node) => (node.type === 'code' && node.lang === 'json' ? [node.value] : []));

/** The sections of a document; content before its first heading is left out. */
export function sectionsOf({ children }: Root): Section[] {
	const starts = children.flatMap((node, index) =>
		node.type === 'heading' ? [{ node, index }] : [],
	);
	const slugger = new GithubSlugger();
	return starts.map(({ node, index }, at) => {
		const title = textOf(node);
		return {
			title,
			anchor: slugger.slug(title),
			nodes: children.slice(index + 1, starts[at + 1]?.index),
		};
	});
}

/** The rows of all tables in a section that have a column with this heading. */
export function rowsOf({ nodes }: Section, column: string): TableRow[] {
	const tables = nodes.filter((node) => node.type === 'table');
	return tables.flatMap(({ children: [header, ...rows] }) => {
		const names = (header?.children ?? []).map(textOf);
		if (!names.includes(column)) return [];
		return rows.map(({ children: cells }) =>
			Object.fromEntries(cells.map((cell, index) => [names[index], cell])),
		);
	});
}
