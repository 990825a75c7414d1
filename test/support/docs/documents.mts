/** The project's own Markdown files. */
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Root } from 'mdast';
import { root } from '../../../tools/files/paths.mts';
import { parseMarkdown, sectionsOf, type Section } from './markdown.mts';

/** Folders with third-party or generated files. */
const FOREIGN = new Set(['node_modules', '.local', 'dist', '.git']);

/** A Markdown file; `path` is relative to the repository's root. */
export interface Document {
	readonly path: string;
	readonly content: Root;
	readonly sections: readonly Section[];
}

/** Reads a file; the path is relative to the repository's root. */
export const readProjectFile = async (path: string): Promise<string> =>
	await readFile(join(root, path), 'utf8');

export async function readDocument(path: string): Promise<Document> {
	const content = parseMarkdown(await readProjectFile(path));
	return { path, content, sections: sectionsOf(content) };
}

/** Paths of all files of the project that match a pattern. */
export async function projectFiles(pattern: string): Promise<string[]> {
	const exclude = (name: string) => FOREIGN.has(name.split('/').at(-1) ?? name);
	const paths: string[] = [];
	for await (const path of glob(pattern, { cwd: root, exclude })) paths.push(path);
	return paths.sort();
}

export async function readDocuments(pattern = '**/*.md'): Promise<Document[]> {
	return await Promise.all((await projectFiles(pattern)).map(readDocument));
}

/** The section with the given title in a document. */
export function sectionOf({ path, sections }: Document, title: string): Section {
	const section = sections.find((one) => one.title === title);
	if (section === undefined) throw new Error(`${path} has no section "${title}"`);
	return section;
}
