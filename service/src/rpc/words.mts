/** The words of endpoints, for the log. */

/** Maximum number of characters. */
const MOST = 300;

const URLS = /\b[a-z][a-z0-9+.-]{0,20}:\/\/\S+/gi;
/** 32 bytes: in a refusal, callers take them for the hash of a transaction that was sent. Contracts put IDs of roles and orders into their errors. */
const HASHES = /(0x|(?<![0-9a-z]))([0-9a-f]{8})[0-9a-f]{48}([0-9a-f]{8})(?![0-9a-f])/gi;

/** Text between the separators of a URL that is long enough for an access key. */
const LEAST_SECRET = 6;

function plainOf(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** A part of a host that some companies use as the access key: letters and digits, too many for a name (Rivet). */
const KEY_IN_HOST = /(?<![^.])(?=[a-z]*[0-9])[a-z0-9]{20,}(?=\.)/gi;

/** The host of a URL for messages, without what may be an access key. */
export const nameOf = ({ host }: URL): string => host.replace(KEY_IN_HOST, '…');

/** The parts of URLs that may be secret: user name, password, path and query. */
function secretsOf(urls: readonly string[]): string[] {
	return urls.flatMap((text) => {
		const url = URL.parse(text);
		if (!url) return text;
		const { username, password, pathname, search, host } = url;
		const parts = [
			...(host.match(KEY_IN_HOST) ?? []),
			username,
			password,
			...pathname.split('/'),
			...search.split(/[?&=]/),
		];
		// As in the header that carries both.
		const both = Buffer.from(`${plainOf(username)}:${plainOf(password)}`).toString('base64');
		const all = [...parts.flatMap((part) => [part, plainOf(part)]), both.replace(/=+$/, '')];
		return all.filter(({ length }) => length >= LEAST_SECRET);
	});
}

/**
 * The words of an endpoint without URLs, anything that the URLs of the endpoints hold, and control characters; 32 bytes are
 * shortened.
 *
 * @param urls the configured endpoints
 * @param most maximum number of characters
 * @example cleaned('key abc-secret-1 is used up, see https://x.example/keys', ['https://x.example/v2/abc-secret-1'])
 * // 'key … is used up, see …'
 */
export function cleaned(text: string, urls: readonly string[], most = MOST): string {
	const secrets = [...new Set(secretsOf(urls))].sort((a, b) => b.length - a.length);
	const longest = secrets[0]?.length ?? 0;
	let words = text.slice(0, 10 * most + longest).replace(URLS, '…');
	for (const secret of secrets) {
		words = words.replace(new RegExp(secret.replace(/\W/g, '\\$&'), 'gi'), '…');
	}
	// A part of a secret before the cut would not be found.
	const isCut = text.length > 10 * most + longest;
	if (isCut) words = words.slice(0, Math.max(0, words.length - longest));
	words = words
		.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
		.replace(HASHES, '$1$2…$3')
		.trim();
	return words.length > most ? `${words.slice(0, most).toWellFormed()}…` : words;
}
