import { betweenHashes } from '../../values/hashes';
import { INVISIBLE } from '../../values/quote';

const MASK = '[access token removed]';

/** Shorter tokens cannot be distinguished from other text, and are easy to guess anyway. */
const SHORTEST_TOKEN = 4;
/** Shorter tokens can occur in a transaction hash by chance, and a hash must not be lost. */
const SHORTEST_IN_HASH = 16;

/** A character that is not displayed as written: JSON-escaped, percent-encoded, or invisible. */
const ODD = new RegExp(
	`\\\\u([0-9a-f]{4})|%([0-9a-f]{2})|\\\\(["\\\\/b])|${INVISIBLE.source}`,
	'giu',
);
/** ASCII text without such characters, like most answers. */
const NOTHING_ODD = /^[\t\n\r -$&-[\]-~]*$/;

function shownOf([, unicode, percent, character]: RegExpExecArray): string {
	const code = Number.parseInt(unicode ?? percent ?? '', 16);
	return (character?.replace('b', '\b') ?? String.fromCharCode(code)).replace(INVISIBLE, '');
}

function withoutToken(text: string, token: string): string {
	// The text as an error displays it. `replace` would take 150 bytes for each of its characters.
	const parts: string[] = [];
	const shifts: { readonly from: number; readonly by: number }[] = [];
	let [end, length, shift] = [0, 0, 0];
	for (const odd of NOTHING_ODD.test(text) ? [] : text.matchAll(ODD)) {
		const shown = shownOf(odd);
		parts.push(text.slice(end, odd.index), shown);
		length += odd.index - end + shown.length;
		end = odd.index + odd[0].length;
		shifts.push({ from: length, by: end - length });
	}
	const plain = parts.join('') + text.slice(end);
	shifts.reverse();
	/** Returns where a place of `plain` is in `text`; the places of successive calls ascend. */
	const find = (place: number): number => {
		while ((shifts.at(-1)?.from ?? Infinity) <= place) shift = shifts.pop()?.by ?? shift;
		return place + shift;
	};
	let [kept, from] = ['', 0];
	for (let hit = plain.indexOf(token); hit >= 0; hit = plain.indexOf(token, hit + token.length)) {
		// A token that itself looks encoded does not occur in decoded text.
		kept += text.slice(from, find(hit)).replaceAll(token, MASK) + MASK;
		from = find(hit + token.length);
	}
	return kept + text.slice(from).replaceAll(token, MASK);
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
