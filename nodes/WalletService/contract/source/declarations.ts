import type { Steps } from '../../values/turns';
import { stepsOf } from '../../values/turns';
import { MAX_NESTING } from './parameter-list';
import { declaresOther } from './signature';
import type { Token } from './signature-reader';
import { TOKENS_AT_ONCE, tokensOf, UNCLOSED_COMMENT } from './signature-reader';

interface Declaration {
	readonly text: string;
	/** Its first line in the source, counted from 1. */
	readonly line: number;
	/** Whether it is in an interface, a contract or a library of Solidity. */
	readonly isSource: boolean;
}

interface SourcePart {
	readonly tokens: Token[];
	/** The name of the interface, contract or library around it; empty if there is none. */
	readonly block: string;
}

const BLOCK = /^(?:abstract )?(?:contract|interface|library) (\S+)/;
const DECLARES_TYPE = /^(?:abstract|struct|enum|type|contract|interface) /;
const TYPE = /^(?:abstract )?(struct|enum|type|contract|interface) (\S+)(?: (?:\{|is) )?(.*)/;
/** A line that begins with such a word belongs to the function before it. */
const CONTINUES = /^(?:external|public|view|pure|payable|nonpayable|virtual|override|returns)$/;
const TYPE_NAME = /(?<=[(,] )[A-Za-z_$][\w$]*(?: \. [A-Za-z_$][\w$]*)?/g;
/** Maximum number of characters that replace the names of types. */
const MAX_REPLACED = 200_000;

const isHidden = ({ text }: Token): boolean => text === 'internal' || text === 'private';
const isBullet = ({ tokens }: SourcePart, text: string): boolean =>
	tokens.length === 0 && /^(?:[-*•]|\d{1,4}\.)$/.test(text);
const joined = (tokens: readonly Token[]): string => tokens.map(({ text }) => text).join(' ');

function* sourcePartsOf(source: string): Steps<SourcePart[]> {
	const all = yield* tokensOf(source);
	const endsWithLine = all.every((token) => token.text !== ';');
	let part: SourcePart = { tokens: [], block: '' };
	const parts = [part];
	const begin = (block = part.block): number => parts.push((part = { tokens: [], block }));
	let [openBraces, openParentheses] = [0, 0];
	for (const [at, token] of all.entries()) {
		if (at % TOKENS_AT_ONCE === 0) yield;
		const { text } = token;
		// A function whose parentheses are not closed hides no other.
		const isCall = /^(?!tuple$)\w/.test(text) && all[at + 1]?.text === '(';
		const isNext = (openParentheses <= 0 || isCall || text === 'function') && !CONTINUES.test(text);
		if (openBraces === 0 && endsWithLine && token.startsLine && isNext) {
			openParentheses = 0;
			begin();
		}
		openParentheses += Number(text === '(') - Number(text === ')');
		const isOutside = openBraces === 0;
		const opened =
			isOutside && text === '{' ? BLOCK.exec(joined(part.tokens.slice(0, 3)))?.[1] : undefined;
		if (opened !== undefined) begin(opened);
		else if (isOutside && text === '}' && part.block !== '') begin('');
		else if (!isOutside || (!/^[;`]$/.test(text) && !isBullet(part, text))) part.tokens.push(token);
		if (text === '{' && opened === undefined) openBraces += 1;
		if (text === '}' && openBraces > 0) openBraces -= 1;
		const isEnd =
			text === ';' || (text === '}' && !/^(?:import|using)$/.test(part.tokens[0]?.text ?? ''));
		if (openBraces === 0 && isEnd) begin();
	}
	return parts;
}

/** Makes a function that replaces the types that a source declares by those of the ABI, unless a name is ambiguous. */
function* typeReplacer(parts: readonly SourcePart[]): Steps<(words: string) => string> {
	const types = new Map<string, string>();
	const isLong = stepsOf(TOKENS_AT_ONCE);
	for (const { tokens, block } of parts) {
		if (isLong(1)) yield;
		if (!DECLARES_TYPE.test(joined(tokens.slice(0, 2)))) continue;
		if (isLong(tokens.length)) yield;
		const [, kind, name = '', rest = ''] = TYPE.exec(joined(tokens)) ?? [];
		if (kind === undefined) continue;
		const members = rest.replace(/ ; \}$/, '').replaceAll(' ;', ' ,');
		const type = { struct: `( ${members} )`, type: rest, enum: 'uint8' }[kind] ?? 'address';
		types.set(name, (types.get(name) ?? type) === type ? type : name);
		types.set(`${block} . ${name}`, type);
	}
	let replaced = 0;
	const replace = (words: string, depth = 0): string =>
		words.replace(TYPE_NAME, (name) => {
			const type = types.get(name) ?? name;
			if (type === name || depth === MAX_NESTING || replaced > MAX_REPLACED) return name;
			replaced += type.length;
			return replace(type, depth + 1);
		});
	return replace;
}

/**
 * Splits human-readable ABI lines, or Solidity source, into function declarations: at semicolons if the text contains any,
 * otherwise at line breaks. A body in braces belongs to its function and ends it. Comments, other declarations and
 * functions that nobody can call are left out; types that the source declares become those of the ABI.
 *
 * @example (await inTurns(declarationsIn('a()\n// comment\nb()'))).map(({ line, text }) => `${line}: ${text}`) // ['1: a()', '3: b()']
 */
export function* declarationsIn(source: string): Steps<Declaration[]> {
	const parts = yield* sourcePartsOf(source);
	const replace = yield* typeReplacer(parts);
	const isSource = parts.some(({ block }) => block !== '');
	const isLong = stepsOf(TOKENS_AT_ONCE);
	const declarations: Declaration[] = [];
	for (const { tokens, block } of parts) {
		if (isLong(1 + tokens.length)) yield;
		if (tokens.at(-1)?.text === ',') tokens.pop();
		const [first, second, end] = [tokens[0], tokens[1]?.text ?? '', tokens.at(-1)];
		if (first === undefined || end === undefined) continue;
		const isCallable = isSource
			? block !== '' && first.text === 'function' && second !== '(' && !tokens.some(isHidden)
			: !declaresOther(first.text, second);
		if (!isCallable && end.text !== UNCLOSED_COMMENT) continue;
		const [words = ''] = joined(tokens).split(' { ');
		const replaced = replace(words);
		const unchanged = source.slice(first.start, end.start + end.text.length);
		const text = replaced === words ? unchanged : replaced;
		declarations.push({ text, line: first.line, isSource });
	}
	return declarations;
}
