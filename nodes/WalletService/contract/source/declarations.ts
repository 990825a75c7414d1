import { MODIFIER_WORDS } from './modifiers';
import type { Token } from './tokens';
import { tokensOf } from './tokens';

/** One declaration of a pasted text. */
export interface Declaration {
	readonly text: string;
	/** Line of the source on which it begins, from 1. */
	readonly line: number;
	/** Possible names of the function, for a declaration that cannot be read. */
	readonly names: readonly string[];
}

const WORD = /^[A-Za-z_$]/;
/** Begin a declaration that is not a function, unless "(" follows: `error(uint256)` may be a function. */
const OTHERS = new Set('event error struct enum modifier pragma import using type'.split(' '));
const UNNAMED = new Set(['constructor', 'fallback', 'receive']);

/**
 * Nesting depth of each token in parentheses and braces; a closing token counts as inside. An unclosed one is ignored, so
 * that a declaration with a missing parenthesis does not swallow everything after it.
 */
function depthsOf(tokens: readonly Token[]): number[] {
	const isPaired = new Set<number>();
	const open: number[] = [];
	const lastOpen = () => tokens[open.at(-1) ?? -1]?.text;
	let openBraces = 0;
	for (const [index, { text }] of tokens.entries()) {
		if (text === '(' || text === '{') open.push(index);
		if (text === '{') openBraces += 1;
		if (text === '}' && openBraces > 0) {
			while (lastOpen() === '(') open.pop();
			openBraces -= 1;
		}
		if ((text === ')' && lastOpen() === '(') || (text === '}' && lastOpen() === '{')) {
			isPaired.add(open.pop() ?? -1).add(index);
		}
	}
	let depth = 0;
	return tokens.map(({ text }, index) => {
		if (!isPaired.has(index)) return depth;
		return text === ')' || text === '}' ? depth-- : depth++;
	});
}

/** Whether a token outside all parentheses and braces is the first of a declaration. */
function beginsDeclaration({ text, startsLine }: Token, endsWithLine: boolean): boolean {
	if (!startsLine) return false;
	if (text === 'function' || OTHERS.has(text) || UNNAMED.has(text)) return true;
	return endsWithLine && !MODIFIER_WORDS.has(text) && text !== '(' && text !== '{';
}

function isFunction([first, second]: readonly Token[]): boolean {
	if (first === undefined) return false;
	const isOther = OTHERS.has(first.text) && second !== undefined && second.text !== '(';
	return !isOther && !(UNNAMED.has(first.text) && second?.text === '(');
}

function namesIn(tokens: readonly Token[]): string[] {
	const texts = tokens.map(({ text }) => text);
	const end = texts.indexOf('(');
	const words = texts
		.slice(0, end < 0 ? undefined : end)
		.filter((text) => text !== 'function' && WORD.test(text));
	const [first] = words;
	const names = [end < 0 ? undefined : words.at(-1), first].filter((name) => name !== undefined);
	return [...new Set(names)];
}

/**
 * Splits human-readable ABI lines into function declarations. A declaration ends with its line, or with a semicolon if the
 * text contains any, so that Solidity declarations that span several lines are kept whole. A body in braces belongs to its
 * function. Comments and declarations of anything but functions are left out.
 *
 * @example declarationsIn('a()\n// comment\nb()').map(({ text, line }) => [text, line]) // [['a()', 1], ['b()', 3]]
 */
export function declarationsIn(text: string): Declaration[] {
	const tokens = tokensOf(text);
	const depths = depthsOf(tokens);
	const endsWithLine = !tokens.some((token, index) => token.text === ';' && depths[index] === 0);
	const groups: Token[][] = [];
	let group: Token[] = [];
	const end = () => {
		groups.push(group);
		group = [];
	};
	for (const [index, token] of tokens.entries()) {
		const isOutside = depths[index] === 0;
		if (isOutside && beginsDeclaration(token, endsWithLine)) end();
		const isEnd = isOutside && token.text === ';';
		if (!isEnd) group.push(token);
		const isBodyEnd = token.text === '}' && (depths[index + 1] ?? 0) === 0;
		if (isEnd || isBodyEnd) end();
	}
	end();
	return groups.filter(isFunction).map((part) => {
		const [first, last] = [part[0], part.at(-1)];
		const from = first?.start ?? 0;
		const to = (last?.start ?? 0) + (last?.text.length ?? 0);
		return { text: text.slice(from, to), line: first?.line ?? 1, names: namesIn(part) };
	});
}
