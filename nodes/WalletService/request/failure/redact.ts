import { betweenHashes } from '../../values/hashes';
import { withoutInvisible } from '../../values/quote';

const MASK = '[access token removed]';

/** Shorter tokens cannot be distinguished from other text, and are easy to guess anyway. */
const SHORTEST_TOKEN = 4;
/** Shorter tokens can occur in a transaction hash by chance, and a hash must not be lost. */
const SHORTEST_IN_HASH = 16;

/** A JSON-escaped or percent-encoded character. */
const ENCODED = /\\u([0-9a-f]{4})|%([0-9a-f]{2})|\\(["\\/b])/gi;
/** ASCII text without invisible characters, like most answers. */
const PLAIN = /^[\t\n\r -~]*$/;

/** Converts text to the form that an error displays: decoded, and without invisible characters. */
function readable(text: string): string {
	const plain = text.replace(
		ENCODED,
		(_encoded, unicode?: string, percent?: string, character?: string) =>
			character?.replace('b', '\b') ??
			String.fromCharCode(Number.parseInt(unicode ?? percent ?? '', 16)),
	);
	return PLAIN.test(plain) ? plain : withoutInvisible(plain);
}

function withoutToken(text: string, token: string): string {
	if (!readable(text).includes(token)) return text.replaceAll(token, MASK);
	const pieces = text.match(new RegExp(`${ENCODED.source}|[^]`, 'giu')) ?? [];
	const characters = pieces.map(readable);
	let next = 0;
	const take = (length: number): string => {
		const from = next;
		for (let left = length; left > 0 && next < pieces.length; next += 1) {
			left -= characters[next]?.length ?? 0;
		}
		return pieces.slice(from, next).join('');
	};
	const rests = characters.join('').split(token);
	const kept = rests.map((rest, index) => {
		if (index > 0) take(token.length);
		const part = take(index < rests.length - 1 ? rest.length : Infinity);
		// A token that itself looks encoded does not occur in decoded text.
		return part.replaceAll(token, MASK);
	});
	return kept.join(MASK);
}

/**
 * Removes the access token from text in any form that a service may echo: unchanged, with JSON escapes, percent-encoded,
 * or split by invisible characters.
 *
 * A token of fewer than 4 characters is not removed, because no answer would remain readable; one of fewer than 16 is not
 * removed from transaction hashes.
 *
 * @param authorization value of the Authorization header that was sent, with or without `Bearer`
 * @example redact('{"error":"Bearer a\\/b-c is wrong"}', 'Bearer a/b-c') // '{"error":"Bearer [access token removed] is wrong"}'
 */
export function redact(text: string, authorization: unknown): string {
	if (typeof authorization !== 'string') return text;
	const token = authorization.replace(/^(?:Bearer(?:\s+|$))+/i, '').trim();
	if (token.length < SHORTEST_TOKEN) return text;
	if (token.length >= SHORTEST_IN_HASH) return withoutToken(text, token);
	return betweenHashes(text, (part) => withoutToken(part, token));
}
