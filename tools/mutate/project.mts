import { globSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

import { root } from '../files/paths.mts';
import type { Region } from './regions.mts';
import { regionsOf } from './regions.mts';

/** A source file of the package. */
export interface SourceFile {
	/** Path from the repository's root. */
	readonly file: string;
	readonly source: ts.SourceFile;
	readonly regions: readonly Region[];
	/** Number of the first region; the one after the last region's stands for the module. */
	readonly firstRegion: number;
}

/** All sources of the package, with their types. */
export interface Project {
	readonly checker: ts.TypeChecker;
	readonly files: readonly SourceFile[];
	readonly regionCount: number;
	readonly options: ts.CompilerOptions;
}

/** Reads all sources of the package, as `tsconfig.json` names them. */
export function readProject(): Project {
	const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
	const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const program = ts.createProgram(fileNames.sort(), options);
	// It links each node to its parent, also.
	const checker = program.getTypeChecker();
	let firstRegion = 0;
	const files = fileNames.flatMap((name) => {
		const source = program.getSourceFile(name);
		if (source === undefined) return [];
		const regions = regionsOf(source);
		const file = relative(root, name).split(sep).join('/');
		const one = { file, source, regions, firstRegion };
		firstRegion += regions.length + 1;
		return [one];
	});
	return { checker, files, regionCount: firstRegion, options };
}

/**
 * The sources that files and folders name.
 *
 * @throws Error when one of them names none.
 */
export function chooseFiles({ files }: Project, names: readonly string[]): SourceFile[] {
	const chosen = new Set<SourceFile>();
	for (const name of names) {
		const isFolder = statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
		const paths = isFolder ? globSync(`${name}/**/*.ts`) : [name];
		const found = paths.flatMap((path) => {
			const wanted = relative(root, resolve(path));
			return files.filter(({ file }) => file === wanted.split(sep).join('/'));
		});
		if (found.length === 0) throw new Error(`${name} names no source of the package`);
		for (const file of found) chosen.add(file);
	}
	return [...chosen];
}
