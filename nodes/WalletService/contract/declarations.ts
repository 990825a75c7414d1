const PIECE = /\/\/[^\n]*|\/\*[^]*?\*\/|[;\n()]|[^;\n()/]+|\//g;
const NOT_A_FUNCTION =
	/^(?:event|error|struct|modifier|pragma|import|using)\s+\S|^(?:constructor|fallback|receive)\s*\(/;

/**
 * Splits human-readable ABI lines into function declarations. They end with the line, or with a semicolon when the text
 * holds any, so that Solidity's declarations over several lines stay whole. Comments and all that declares something
 * other than a function are left out.
 */
export function declarationsIn(text: string): string[] {
	const pieces: readonly string[] = text.match(PIECE) ?? [];
	const separator = pieces.includes(';') ? ';' : '\n';
	const declarations = [''];
	let depth = 0;
	for (const piece of pieces) {
		if (piece === '(') depth += 1;
		if (piece === ')') depth -= 1;
		const isComment = piece.startsWith('//') || piece.startsWith('/*');
		if (piece === separator && depth <= 0) declarations.push('');
		else declarations[declarations.length - 1] += isComment ? ' ' : piece;
	}
	return declarations
		.map((line) => line.trim())
		.filter((line) => line !== '' && !NOT_A_FUNCTION.test(line));
}
