/** A word, a number, a quoted string, or any other single character of a declaration. */
export interface Token {
	readonly text: string;
	/** Offset in the source, from 0. */
	readonly start: number;
	/** Line of the source, from 1. */
	readonly line: number;
	/** Whether it is the first on a line of the source. A line break inside a comment does not count. */
	readonly startsLine: boolean;
}

/** Opens an unclosed comment: always the last token, because everything after it may be part of the comment. */
export const UNCLOSED_COMMENT = '/*';

const PIECE = /\s+|\/[/*]|[A-Za-z_$][\w$]*|\d[\w.]*|[^]/gu;
const SPACE = /^\s/;

function endOfLine(text: string, start: number): number {
	const end = text.indexOf('\n', start);
	return end < 0 ? text.length : end;
}

/** Index after a quoted string, which ends with its line at the latest. */
function endOfQuoted(text: string, start: number): number {
	for (let index = start + 1; index < text.length; index += 1) {
		if (text[index] === text[start]) return index + 1;
		if (text[index] === '\n') return index;
		if (text[index] === '\\' && text[index + 1] !== '\n') index += 1;
	}
	return text.length;
}

/** Index after the token, space or comment that begins with `piece`. */
function endOfPiece(text: string, start: number, piece: string): number {
	if (piece === '//') return endOfLine(text, start);
	if (piece === '"' || piece === "'") return endOfQuoted(text, start);
	if (piece !== '/*') return start + piece.length;
	const end = text.indexOf('*/', start + piece.length);
	return end < 0 ? start + UNCLOSED_COMMENT.length : end + '*/'.length;
}

/**
 * The tokens of pasted declarations, without white space and comments. Each character is examined at most twice, so the
 * time is linear in the length of the text.
 *
 * @example tokensOf('f(uint a) // comment').map(({ text }) => text) // ['f', '(', 'uint', 'a', ')']
 */
export function tokensOf(text: string): Token[] {
	const tokens: Token[] = [];
	const pieces = new RegExp(PIECE);
	let line = 1;
	let startsLine = true;
	for (let match = pieces.exec(text); match !== null; match = pieces.exec(text)) {
		const { index: start } = match;
		const end = endOfPiece(text, start, match[0]);
		const piece = text.slice(start, end);
		pieces.lastIndex = end;
		const isSpace = SPACE.test(piece);
		const isComment = piece.startsWith('//') || (piece.startsWith('/*') && piece.length > 2);
		if (!isSpace && !isComment) {
			tokens.push({ text: piece, start, line, startsLine });
			if (piece === UNCLOSED_COMMENT) return tokens;
			startsLine = false;
			continue;
		}
		const lineBreaks = piece.split('\n').length - 1;
		line += lineBreaks;
		startsLine ||= isSpace && lineBreaks > 0;
	}
	return tokens;
}
