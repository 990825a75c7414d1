/** Texts of strangers that n8n's forms, hints and errors would interpret, and how to find what is left of them. */
import type { NodeApiError } from 'n8n-workflow';

import type { EngineResult } from './engine.mts';
import { NODE } from './engine.mts';

/** Markup of all kinds without white space, also in characters that normalization turns into markup. */
export const ODD =
	'Rahul<!--<img/src="https://words.example">&lt;b&gt;`x`\\n\\\\n\n\uff1cp\uff06\uff3cn\ufe64i\uff40';
/** What may be a symbol: it is short. */
export const SYMBOL = 'S<!--&`\\n\uff1cp';
/** Without a line break, which would separate two IDs. */
export const ODD_ID = `CHESS-${ODD.replace('\n', '')}`;

/** Characters that n8n interprets. A backslash may begin the escape of a quoted character. */
const INTERPRETED = /[<>&`]|\\(?!u[\da-f]{4}|")/i;
/** Fields of items that are the node's own texts. */
const SENTENCES = [
	'summary',
	'warning',
	'recipientName',
	'error',
	'message',
	'hint',
	'serviceText',
];

/** All texts of the given fields within a value. */
export function fieldsIn(value: unknown, fields: readonly string[]): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
		fields.includes(name) && typeof member === 'string' ? [member] : fieldsIn(member, fields),
	);
}

/** The texts of an error. */
export function textsOf(error: unknown): string[] {
	const { message = '', description, context } = (error ?? {}) as NodeApiError;
	return [message, description ?? '', ...fieldsIn(context, SENTENCES)];
}

/** Asserts that no text contains markup: `expect` itself is too slow for each of a million lines. */
export function areInert(texts: string[]): void {
	const isMarkup = (line: string) => INTERPRETED.test(line);
	// The node's own lines end in markup; no words of strangers have a line break.
	expect(texts.filter((text) => text.split(/(?:<br>)?\n/).some(isMarkup))).toEqual([]);
	expect(Math.max(0, ...texts.map(({ length }) => length))).toBeLessThan(2000);
}

/** Asserts that no text of a run contains markup. @returns the number of texts */
export function assertInert(
	{ items, error, run }: EngineResult,
	logged: readonly string[],
): number {
	const { hints = [] } = run.data.resultData.runData[NODE]?.at(-1) ?? {};
	const own = fieldsIn(
		items.map(({ json: item }) => item),
		SENTENCES,
	);
	const texts = [...own, ...textsOf(error), ...hints.map(({ message }) => message)];
	areInert([...texts, ...logged]);
	return texts.filter((text) => text !== '').length;
}
