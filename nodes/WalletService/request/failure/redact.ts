import { mapJsonTexts } from '../../values/json-texts';
import type { TokenForms } from './token-forms';
import { formsOf, readingsOf } from './token-forms';

const MASK = '[access token removed]';

/** Stands for the mask until all is done: the words of the mask may look like a token. It is no character of Unicode. */
const CUT = '\uFFFF';

/** A shorter token cannot be told from the rest of an answer, and trying a few would find it. */
const SHORTEST_TOKEN = 4;

/** How often a text is read anew after something was cut out of it; one with more to find is not shown at all. */
const MAX_ROUNDS = 4;

/** The first reading of a text in which the token stands; `undefined` when it stands in none. */
function findReading(text: string, { texts }: TokenForms): string | undefined {
	for (const reading of readingsOf(text)) {
		if (texts.some((form) => reading.includes(form))) return reading;
	}
	return undefined;
}

/** Where the token is encoded, the text comes back decoded. */
function cutFromText(text: string, forms: TokenForms): string {
	let rest = text;
	for (let round = 0; round < MAX_ROUNDS; round++) {
		const reading = findReading(rest, forms);
		if (reading === undefined) return rest;
		rest = reading.replace(forms.pattern(), CUT);
	}
	return findReading(rest, forms) === undefined ? rest : CUT;
}

function cutFrom(text: string, forms: TokenForms): string {
	// All that an answer without the token costs.
	if (findReading(text, forms) === undefined) return text;
	return mapJsonTexts(text, (part) => cutFrom(part, forms)) ?? cutFromText(text, forms);
}

/**
 * A text without the access token, wherever and however a service sends it back: as it is, with JSON escapes,
 * percent-encoded, in base64, or with up to three of the former around each other. A JSON text stays one, and what is
 * parsed from it does not hold the token either.
 *
 * A token of less than four characters is left alone: without it, no answer could be read.
 *
 * @param authorization value of the Authorization header that was sent, with or without `Bearer`
 * @example redact('{"error":"Bearer a\\/b-c is wrong"}', 'Bearer a/b-c') // '{"error":"Bearer [access token removed] is wrong"}'
 */
export function redact(text: string, authorization: unknown): string {
	if (typeof authorization !== 'string') return text;
	const token = authorization.replace(/^(?:Bearer(?:\s+|$))+/i, '').trim();
	if (token.length < SHORTEST_TOKEN) return text;
	const forms = formsOf(token);
	const rest = cutFrom(text, forms);
	return rest === text ? text : rest.replaceAll(CUT, MASK);
}
