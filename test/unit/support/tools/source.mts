import ts from 'typescript';

const NAME = 'source.ts';

/** A source file with its types, from its text alone. */
export function readSource(text: string): { source: ts.SourceFile; checker: ts.TypeChecker } {
	const parsed = ts.createSourceFile(NAME, text, ts.ScriptTarget.ES2022, true);
	const program = ts.createProgram({
		rootNames: [NAME],
		options: { noLib: true, strict: true, target: ts.ScriptTarget.ES2022 },
		host: {
			fileExists: (name) => name === NAME,
			getCanonicalFileName: (name) => name,
			getCurrentDirectory: () => '',
			getDefaultLibFileName: () => '',
			getNewLine: () => '\n',
			getSourceFile: (name) => (name === NAME ? parsed : undefined),
			readFile: (name) => (name === NAME ? text : undefined),
			useCaseSensitiveFileNames: () => true,
			writeFile: () => undefined,
		},
	});
	const checker = program.getTypeChecker();
	return { source: parsed, checker };
}
