import { join } from 'node:path';
import ts from 'typescript';

import { root } from '../files/paths.mts';
import type { Mutant } from './mutants.mts';
import { mutated } from './mutants.mts';
import type { Project } from './project.mts';

/** Complaints about what is no longer used: somebody who made the fault would have tidied up behind it. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 6199]);

/** Finds mutants that the build refuses. */
export class TypeErrors {
	readonly #service: ts.LanguageService;

	readonly #changed = new Map<string, string>();

	#version = 0;

	constructor({ files, options }: Project) {
		const names = files.map(({ file }) => join(root, file));
		this.#service = ts.createLanguageService({
			fileExists: ts.sys.fileExists,
			readFile: ts.sys.readFile,
			getCompilationSettings: () => options,
			getScriptFileNames: () => names,
			getScriptVersion: (name) => (this.#changed.has(name) ? String(this.#version) : '0'),
			getScriptSnapshot: (name) => {
				const text = this.#changed.get(name) ?? ts.sys.readFile(name);
				return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
			},
			getCurrentDirectory: () => root,
			getDefaultLibFileName: ts.getDefaultLibFilePath,
		});
	}

	/** Whether the mutant has an error that the source does not have. */
	refuses(mutant: Mutant, source: string): boolean {
		const name = join(root, mutant.file);
		this.#version += 1;
		this.#changed.set(name, mutated(source, mutant));
		try {
			const program = this.#service.getProgram();
			const found = [
				...(program?.getSyntacticDiagnostics() ?? []),
				...(program?.getSemanticDiagnostics() ?? []),
			];
			return found.some(({ code }) => !UNUSED.has(code));
		} finally {
			this.#changed.delete(name);
		}
	}
}
