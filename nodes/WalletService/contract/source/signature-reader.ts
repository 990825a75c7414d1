import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { Steps } from '../../values/turns';

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

/** The beginning of an unclosed comment. It is the last token, because all following text may belong to the comment. */
export const UNCLOSED_COMMENT = '/*';

/** White space, a comment or a token. A quoted string never extends beyond its line. */
const PIECE =
	/(?<space>\s+)|(?<comment>\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?<unclosed>$)))|"(?:[^"\\\n]|\\[^\n]?)*"?|'(?:[^'\\\n]|\\[^\n]?)*'?|[A-Za-z_$][\w$]*|\d[\w.]*|[^]/gu;

/** The name of a function, a parameter or a type; a longer one would fill every sentence that contains it. */
export const IDENTIFIER = /^[A-Za-z_$][\w$]{0,255}$/;

/**
 * Splits pasted declarations into tokens, without white space and comments, in time linear in the length of the text.
 *
 * @example [...eachToken('f(uint a) // comment')].map(({ text }) => text) // ['f', '(', 'uint', 'a', ')']
 */
export function* eachToken(text: string): Iterable<Token> {
	let line = 1;
	let startsLine = true;
	for (const { 0: piece, index: start, groups } of text.matchAll(PIECE)) {
		const { space, comment, unclosed } = groups ?? {};
		if (unclosed !== undefined) {
			yield { text: UNCLOSED_COMMENT, start, line, startsLine };
			return;
		}
		if (space === undefined && comment === undefined) {
			yield { text: piece, start, line, startsLine };
			startsLine = false;
			continue;
		}
		line += piece.split('\n').length - 1;
		startsLine ||= space?.includes('\n') === true;
	}
}

/** Tokens that are read in a step. */
export const TOKENS_AT_ONCE = 5_000;

/**
 * The same, of a text of any length.
 *
 * @example (await inTurns(tokensOf('f()'))).length // 3
 */
export function* tokensOf(text: string): Steps<Token[]> {
	const tokens: Token[] = [];
	for (const token of eachToken(text)) if (tokens.push(token) % TOKENS_AT_ONCE === 0) yield;
	return tokens;
}

/**
 * Reads a function signature token by token, and reports where it is wrong.
 *
 * @example
 * const reader = new SignatureReader('f(uint)', 'abi');
 * [reader.take(), reader.takeIf('['), reader.peek()] // ['f', false, '(']
 */
export class SignatureReader {
	private readonly text: string;

	private readonly parameter: string;

	private readonly tokens: readonly Token[];

	private index = 0;

	/**
	 * @param parameter the node parameter that holds the text, for errors
	 * @throws InvalidInputError for an unclosed comment, which could hide anything.
	 */
	constructor(text: string, parameter: string) {
		this.text = text;
		this.parameter = parameter;
		this.tokens = [...eachToken(text)];
		if (this.tokens.at(-1)?.text !== UNCLOSED_COMMENT) return;
		this.index = this.tokens.length - 1;
		this.fail('this comment is never closed', 'Close it with */, or remove it');
	}

	/** Returns the text of the token `ahead` places after the current one; empty at the end. */
	peek(ahead = 0): string {
		return this.tokens[this.index + ahead]?.text ?? '';
	}

	/** Whether the current token is a name, a type or another word. */
	isWord(): boolean {
		return IDENTIFIER.test(this.peek());
	}

	/** Consumes the current token. */
	take(): string {
		const text = this.peek();
		this.index += 1;
		return text;
	}

	/** Consumes the current token if it is `text`. */
	takeIf(text: string): boolean {
		if (this.peek() !== text) return false;
		this.index += 1;
		return true;
	}

	/** Skips a group in parentheses or braces that starts at the current token. */
	skipGroup(open: string, close: string): void {
		const start = this.index;
		let depth = 0;
		do {
			const token = this.take();
			if (token === '') {
				this.index = start;
				this.fail(`this ${quote(open)} is never closed`, `Close it with ${quote(close)}`);
			}
			if (token === open) depth += 1;
			if (token === close) depth -= 1;
		} while (depth > 0);
	}

	/** 1-based position of the current token in the source; 0 at the end. */
	position(): number {
		return (this.tokens[this.index]?.start ?? -1) + 1;
	}

	/** Refuses the signature because of the current token. @throws InvalidInputError */
	fail(problem: string, hint: string): never {
		const token = this.peek();
		const place = token === '' ? 'At the end' : `At character ${this.position()}, ${quote(token)}`;
		const message = `${place}: ${problem}, in the function signature ${quote(this.text)}`;
		return refuse(this.parameter, message, hint);
	}
}
