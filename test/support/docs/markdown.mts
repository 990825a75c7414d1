/** Markdown as the tests of the documents read it, by prettier's parser. */
import { parsers } from 'prettier/plugins/markdown';

import { readList, readObject } from '../../../tools/files/json.mts';

/** A node of the syntax tree (mdast); what a kind of node does not have is empty. */
export interface MarkdownNode {
	/** `heading`, `table`, `inlineCode`, `link`, ... */
	readonly type: string;
	/** Text of a leaf. */
	readonly value: string;
	/** Address of a link or an image. */
	readonly url: string;
	/** What stands for an image in words. */
	readonly alt: string;
	/** Language of a code block. */
	readonly lang: string;
	readonly children: readonly MarkdownNode[];
}

/** A heading and what stands below it, up to the next heading of any depth. */
export interface Section {
	readonly title: string;
	/** The anchor that GitHub gives the heading. */
	readonly anchor: string;
	readonly nodes: readonly MarkdownNode[];
}

/** A table: one record per row, its cells by the text of their column's heading. */
export type TableRow = Readonly<Record<string, MarkdownNode>>;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

function readNode(given: unknown): MarkdownNode {
	const {
		type,
		value,
		url,
		alt,
		lang,
		children = [],
	} = readObject(given, 'a node of the document');
	return {
		type: asText(type),
		value: asText(value),
		url: asText(url),
		alt: asText(alt),
		lang: asText(lang),
		children: readList(children, 'its children').map(readNode),
	};
}

/** Parses a document. */
export async function parseMarkdown(text: string): Promise<MarkdownNode> {
	// The parser uses none of the options that its type asks for.
	const tree: unknown = await Reflect.apply(parsers.markdown.parse, parsers.markdown, [text]);
	return readNode(tree);
}

/** The text of a node as a reader sees it. */
export function textOf({ value, children }: MarkdownNode): string {
	return value + children.map(textOf).join('');
}

/** All nodes of a kind in a node, itself included, in the order of the document. */
export function nodesOf(node: MarkdownNode, type: string): MarkdownNode[] {
	return [
		...(node.type === type ? [node] : []),
		...node.children.flatMap((child) => nodesOf(child, type)),
	];
}

/** GitHub's rule: lower case, spaces become hyphens, all else but letters, digits, `_` and `-` goes. */
function anchorOf(title: string): string {
	return title
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s_-]/gu, '')
		.replace(/\s/g, '-');
}

/** The sections of a document; what stands before its first heading is left out. */
export function sectionsOf(document: MarkdownNode): Section[] {
	const { children } = document;
	const starts = children.flatMap(({ type }, index) => (type === 'heading' ? [index] : []));
	const anchors = new Map<string, number>();
	return starts.map((start, index) => {
		const title = children
			.slice(start, start + 1)
			.map(textOf)
			.join('');
		const anchor = anchorOf(title);
		const count = anchors.get(anchor) ?? 0;
		anchors.set(anchor, count + 1);
		return {
			title,
			anchor: count === 0 ? anchor : `${anchor}-${count}`,
			nodes: children.slice(start + 1, starts[index + 1]),
		};
	});
}

/** The rows of all tables of a section that have a column of this heading. */
export function rowsOf({ nodes }: Section, column: string): TableRow[] {
	const tables = nodes.filter(({ type }) => type === 'table');
	return tables.flatMap(({ children: [header, ...rows] }) => {
		const names = (header?.children ?? []).map(textOf);
		if (!names.includes(column)) return [];
		return rows.map(({ children: cells }) =>
			Object.fromEntries(cells.map((cell, index) => [names[index], cell])),
		);
	});
}
