import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { Token } from './tokens';
import { tokensOf, UNCLOSED_COMMENT } from './tokens';

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const END: Pick<Token, 'text' | 'start'> = { text: '', start: -1 };

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
		this.tokens = tokensOf(text);
		if (this.tokens.at(-1)?.text !== UNCLOSED_COMMENT) return;
		this.index = this.tokens.length - 1;
		this.fail('this comment is never closed', 'Close it with */, or remove it');
	}

	/** The text of the token `ahead` tokens from the current one; empty at the end. */
	peek(ahead = 0): string {
		return this.token(ahead).text;
	}

	/** Whether the current token is a name, a type or another word. */
	isWord(): boolean {
		return IDENTIFIER.test(this.peek());
	}

	/** Consumes the current token, whatever it is. */
	take(): string {
		const { text } = this.token(0);
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

	/** 1-based position of the current token in the source. */
	position(): number {
		return this.token(0).start + 1;
	}

	/** Refuses the signature because of the current token. @throws InvalidInputError */
	fail(problem: string, hint: string): never {
		const { text, start } = this.token(0);
		const place = text === '' ? 'At the end' : `At character ${start + 1}, ${quote(text)}`;
		throw new InvalidInputError({
			parameter: this.parameter,
			value: this.text,
			message: `${place}: ${problem}, in the function signature ${quote(this.text)}`,
			hint,
		});
	}

	private token(ahead: number): Pick<Token, 'text' | 'start'> {
		return this.tokens[this.index + ahead] ?? END;
	}
}
