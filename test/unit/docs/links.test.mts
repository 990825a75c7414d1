/** Everything that the documents refer to exists: files, headings, pictures and commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readObject } from '../../../tools/files/json.mts';
import { root } from '../../../tools/files/paths.mts';
import type { Document } from '../../support/docs/documents.mts';
import {
	projectFiles,
	readDocument,
	readDocuments,
	readProjectFile,
} from '../../support/docs/documents.mts';
import { codesIn, jsonBlocks, nodesOf } from '../../support/docs/markdown.mts';
import { succeeds } from '../support/refusal.mts';

/** Folders to which a path in backticks may be relative: the repository, or the node's sources, as in CONTRIBUTING. */
const BASES = ['', 'nodes/WalletService'];

/** A path with one of these endings is a file of the project. */
const SOURCE_FILE = /\.(?:m?ts|mjs|md|png|sol|yml)$/;

/** npm's own commands. */
const NPM_COMMANDS =
	'audit ci exec init install login pack publish uninstall update version view'.split(' ');

let documents: Document[];

beforeAll(async () => {
	documents = await readDocuments();
});

const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;
/** Encrypted addresses, those of mail, and those on this machine. */
const FINE = /^(?:https:|mailto:|http:\/\/(?:localhost|127\.0\.0\.1)[:/])/;

function linksOf({ content }: Document): string[] {
	const kinds = ['link', 'image', 'definition'] as const;
	return kinds.flatMap((kind) => nodesOf(content, kind)).map(({ url }) => url);
}

function problemOf(url: string, document: Document): string | undefined {
	if (EXTERNAL.test(url))
		return URL.canParse(url) && FINE.test(url) ? undefined : 'no https address';
	const [file = '', anchor] = url.split('#');
	const path = file === '' ? document.path : join(dirname(document.path), decodeURI(file));
	if (!existsSync(join(root, path))) return 'no such file';
	if (anchor === undefined) return undefined;
	const sections = documents.find((one) => one.path === path)?.sections ?? [];
	return sections.some((section) => section.anchor === anchor) ? undefined : 'no such heading';
}

/** The code in a document: each line of its code blocks, and inline code. */
function codeOf({ content }: Document): string[] {
	const blocks = nodesOf(content, 'code').flatMap(({ value }) => value.split('\n'));
	return [...blocks, ...codesIn(content)];
}

test('every link and picture leads to a file, and every anchor to a heading', () => {
	const checked = documents.flatMap((document) =>
		linksOf(document).map((url) => {
			const problem = problemOf(url, document);
			return problem === undefined ? [] : [`${document.path}: ${url}: ${problem}`];
		}),
	);
	expect(checked.length).toBeGreaterThan(100);
	expect(checked.flat()).toEqual([]);
});

test('links in n8n lead to files of the project, without a fragment, which would hide what n8n appends', async () => {
	const sources = await projectFiles('{credentials/*.credentials.ts,nodes/**/*.node.json}');
	const texts = await Promise.all(sources.map(readProjectFile));
	const links = texts.flatMap((text) => text.match(/https:\/\/github\.com[^'"]*/g) ?? []);
	const pages = links.map((url) => /^[^?#]+\/blob\/main\/([^?#]+)$/.exec(url)?.[1] ?? url);
	expect([...new Set(pages)].sort()).toEqual([
		...['docs/README.md', 'docs/oauth2.md', 'docs/resources/credentials.md', 'docs/trigger.md'],
	]);
	expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});

test('the index leads to every page', async () => {
	const index = await readDocument('docs/README.md');
	const listed = linksOf(index).map((url) => join('docs', url));
	const pages = documents.map(({ path }) => path).filter((path) => path.startsWith('docs/'));
	const missing = pages.filter((path) => path !== index.path && !listed.includes(path));
	expect(missing).toEqual([]);
});

test('every picture of the documents is used, and has alternative text', async () => {
	const images = documents.flatMap(({ path, content }) =>
		nodesOf(content, 'image').map(({ alt, url }) => ({ alt, url: join(dirname(path), url) })),
	);
	const shown = images.map(({ url }) => url);
	const pictures = await projectFiles('docs/images/*');
	expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
	expect(images.filter(({ alt }) => alt === '')).toEqual([]);
});

test('every npm command is a script of the package, or npm’s own', async () => {
	const { scripts } = readObject(JSON.parse(await readProjectFile('package.json')), 'package.json');
	const known = new Set([...Object.keys(readObject(scripts, 'the scripts')), ...NPM_COMMANDS]);
	const commands = documents
		.flatMap(codeOf)
		.flatMap((code) => [...code.matchAll(/\bnpm (?:run )?([a-z][a-z:-]*)/g)]);
	const names = commands.map(([, name = '']) => name);
	expect(names).toContain('start');
	// `npm run test:<suite>` stands for all suites.
	const unknown = names.filter((name) => !known.has(name) && name !== 'test:');
	expect(unknown).toEqual([]);
});

/** Whether a string is the path of a file; `test:<suite>` and `**` are not. */
function namesFile(value: string): boolean {
	if (!/^[\w.@-]+\/[\w.@/-]*$/.test(value)) return false;
	const [first = ''] = value.split('/');
	// Generated folders may be missing when these tests run.
	if (['dist', 'node_modules', '.local'].includes(first)) return false;
	return existsSync(join(root, first)) || SOURCE_FILE.test(value);
}

test('every file named in backticks exists', () => {
	const named = documents.flatMap(({ path, content }) =>
		codesIn(content)
			.filter(namesFile)
			.map((value) => ({ value, bases: [...BASES, dirname(path)] })),
	);
	expect(named.length).toBeGreaterThan(15);
	const missing = named.filter(
		({ value, bases }) => !bases.some((base) => existsSync(join(root, base, value))),
	);
	expect(missing.map(({ value }) => value)).toEqual([]);
});

test('every JSON block is JSON', () => {
	const blocks = documents.flatMap(({ path, content }) =>
		jsonBlocks(nodesOf(content, 'code')).map((block) => ({ path, block })),
	);
	expect(blocks.filter(({ block }) => !succeeds(() => JSON.parse(block)))).toEqual([]);
});
