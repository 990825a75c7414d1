import { mapJsonTexts } from '../../values/json-texts';
import type { TokenForms } from './token-forms';
import { formsOf, readingsOf } from './token-forms';

const MASK = '[access token removed]';

/** Placeholder for the mask until the end, because the mask itself may look like a token. Not a Unicode character. */
const CUT = '\uFFFF';

/** A shorter token cannot be distinguished from the rest of an answer, and would be guessed in a few tries. */
const SHORTEST_TOKEN = 4;

/** How often text is searched again after a cut; text that still contains the token is not shown at all. */
const MAX_ROUNDS = 4;

/** The first reading of text that contains the token; `undefined` if none does. */
function findReading(text: string, { texts }: TokenForms): string | undefined {
	for (const reading of readingsOf(text)) {
		if (texts.some((form) => reading.includes(form))) return reading;
	}
	return undefined;
}

/** If the token is encoded, the text is returned decoded. */
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
	// The only cost for an answer without the token.
	if (findReading(text, forms) === undefined) return text;
	return mapJsonTexts(text, (part) => cutFromPart(part, forms)) ?? cutFromText(text, forms);
}

/** Text within JSON may be JSON again, whose quotes can be characters of the token. */
function cutFromPart(text: string, forms: TokenForms): string {
	return cutFromText(cutFrom(text, forms), forms);
}

/**
 * Removes the access token from text, in any form in which a service may send it back: unchanged, with JSON escapes,
 * percent-encoded, in base64, or with up to three of the former nested. JSON text remains JSON, and the values parsed from
 * it do not contain the token either.
 *
 * A token of less than four characters is not removed: no answer would remain readable.
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
