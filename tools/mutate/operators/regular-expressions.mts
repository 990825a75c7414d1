/** Faults in regular expressions: quantifiers, anchors, negations, flags. */
import ts from 'typescript';

import type { Operator } from '../change.mts';
import { replace } from '../change.mts';

/** Pieces that a pattern is made of, in the order in which they are looked for. */
const PIECE =
	/\\(?:[pPu]\{[^}]*\}|k<[^>]*>|.)|\(\?(?:<?[=!]|:|<\w+>)|\[\^?(?:\\.|[^\]\\])*\]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu;

/** `{2,3}` with one more at one of its ends. */
function otherCounts(quantifier: string): string[] {
	const [, least = '', comma = '', most = ''] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
	const more = (count: string): string => String(Number(count) + 1);
	if (comma === '') return [`{${more(least)}}`];
	if (most === '') return [`{${more(least)},}`];
	const isRange = Number(least) < Number(most);
	return [...(isRange ? [`{${more(least)},${most}}`] : []), `{${least},${more(most)}}`];
}

/** What a piece could be taken for. */
function othersOf(piece: string): string[] {
	if (piece.startsWith('[^')) return [`[${piece.slice(2)}`];
	if (/^\{\d/.test(piece)) return otherCounts(piece);
	const others: Readonly<Record<string, string>> = {
		'*': '+',
		'+': '*',
		'*?': '+?',
		'+?': '*?',
		'?': '',
		'??': '',
		'^': '',
		$: '',
		'(?=': '(?!',
		'(?!': '(?=',
		'(?<=': '(?<!',
		'(?<!': '(?<=',
	};
	const other = Object.hasOwn(others, piece) ? others[piece] : undefined;
	return other === undefined ? [] : [other];
}

function isPattern(pattern: string, flags: string): boolean {
	// Two slashes would begin a comment.
	if (pattern === '') return false;
	try {
		return new RegExp(pattern, flags) instanceof RegExp;
	} catch {
		return false;
	}
}

export const changePattern: Operator = (node) => {
	if (!ts.isRegularExpressionLiteral(node)) return [];
	const end = node.text.lastIndexOf('/');
	const [pattern, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
	const patterns = [...pattern.matchAll(PIECE)].flatMap(({ 0: piece, index }) =>
		othersOf(piece).map(
			(other) => pattern.slice(0, index) + other + pattern.slice(index + piece.length),
		),
	);
	const fewerFlags = [...flags]
		.filter((flag) => 'gims'.includes(flag))
		.map((flag) => flags.replace(flag, ''));
	return [
		...patterns.filter((other) => isPattern(other, flags)).map((other) => `/${other}/${flags}`),
		...fewerFlags.map((other) => `/${pattern}/${other}`),
	].map((text) => replace('pattern', node, text));
};
