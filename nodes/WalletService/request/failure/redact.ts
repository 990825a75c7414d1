const MASK = '[access token removed]';

/** A shorter token cannot be distinguished from the rest of an answer, and would be guessed in a few tries. */
const SHORTEST_TOKEN = 4;

/** A character with a JSON escape or percent-encoded. */
const ENCODED = /\\u([0-9a-f]{4})|%([0-9a-f]{2})|\\(["\\/])/gi;

function decoded(text: string): string {
	return text.replace(
		ENCODED,
		(_encoded, unicode?: string, percent?: string, character?: string) =>
			character ?? String.fromCharCode(Number.parseInt(unicode ?? percent ?? '', 16)),
	);
}

/**
 * Removes the access token from text, as a service may send it back: unchanged, with JSON escapes, or percent-encoded.
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
	const rests = decoded(text).split(token);
	if (rests.length === 1) return text.replaceAll(token, MASK);
	// As many pieces as the decoded text has characters.
	const pieces = text.match(new RegExp(`${ENCODED.source}|[^]`, 'gi')) ?? [];
	let from = 0;
	const kept = rests.map((rest) => {
		const part = pieces.slice(from, from + rest.length).join('');
		from += rest.length + token.length;
		// A token that looks encoded itself is not found in what is decoded.
		return part.replaceAll(token, MASK);
	});
	return kept.join(MASK);
}
