import { inOneLine } from '../../values/quote';

/** Standard reason phrases, which add nothing to the status (RFC 9110, section 15); proxies also send them. */
const REASON_PHRASES: ReadonlySet<string> = new Set(
	'bad request, not found, request timeout, too many requests, internal server error, bad gateway, service unavailable, gateway timeout'.split(
		', ',
	),
);

/** Turns a service's text into a clause: one line, without final punctuation. */
export function asClause(text: string): string {
	return inOneLine(text).replace(/[.,;:]+$/, '');
}

/** Whether a service's text adds information to the HTTP status, unlike `Not Found`. */
export function saysMore(text: string): boolean {
	const clause = asClause(text);
	return /[\p{L}\p{N}]/u.test(clause) && !REASON_PHRASES.has(clause.toLowerCase());
}

/** Whether a service's text is a readable sentence, not a code or JSON. */
export function isSentence(text: string): boolean {
	return saysMore(text) && /^[^{[<]\S*\s/.test(text.trimStart());
}

/**
 * Joins parts of a message into sentences.
 *
 * @example asSentences(['Is it there?', '', 'Check again.', 'Item 0']) // 'Is it there? Check again. Item 0'
 */
export function asSentences(parts: readonly string[]): string {
	const said = parts.filter((part) => part !== '');
	return said
		.map((part, index) => (index < said.length - 1 && !/[.?!]$/.test(part) ? `${part}.` : part))
		.join(' ');
}
