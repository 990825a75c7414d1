/** Most nested encodings that are decoded: JSON inside JSON in a URL, for example. */
const MAX_LAYERS = 3;

const BITS_OF_BYTE = 8;
/** Bits in a character of base64. */
const BITS_OF_CHARACTER = 6;

const characterOf = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

function withoutEscapes(text: string): string {
	if (!text.includes('\\')) return text;
	return text.replace(
		/\\(?:u([0-9a-fA-F]{4})|(["\\/]))/g,
		(_escape, hex: string | undefined, character: string) =>
			hex === undefined ? character : characterOf(hex),
	);
}

function withoutPercents(text: string): string {
	if (!text.includes('%')) return text;
	return text.replace(/%([0-9a-fA-F]{2})/g, (_percent, hex: string) => characterOf(hex));
}

/**
 * Text unchanged, and with layers of JSON escapes and percent-encoding decoded in any order. Text without a backslash or
 * percent sign has a single reading.
 */
export function* readingsOf(text: string, layers = MAX_LAYERS): Generator<string> {
	yield text;
	if (layers === 0) return;
	for (const decode of [withoutEscapes, withoutPercents]) {
		const decoded = decode(text);
		if (decoded !== text) yield* readingsOf(decoded, layers - 1);
	}
}

/** Finds a token in a reading of text. */
export interface TokenForms {
	/** Its forms: every reading that contains the token contains one of these. */
	readonly texts: readonly string[];
	/** Matches what to remove; built only when needed, which is rare. */
	readonly pattern: () => RegExp;
}

const literal = (text: string): string => text.replace(/[^\w]/g, '\\$&');

/** The UTF-8 bytes of text, one character for each. */
function bytesOf(text: string): string {
	if (/^[ -~]*$/.test(text)) return text;
	return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/**
 * The base64 forms of bytes at any offset: three, because three bytes are four characters. Characters that also contain
 * bits of neighbouring bytes are left out.
 */
function inBase64(bytes: string): string[] {
	return [0, 1, 2].map((before) => {
		const start = Math.ceil((before * BITS_OF_BYTE) / BITS_OF_CHARACTER);
		const end = Math.floor(((before + bytes.length) * BITS_OF_BYTE) / BITS_OF_CHARACTER);
		return btoa('\0'.repeat(before) + bytes).slice(start, end);
	});
}

const forUrls = (base64: string): string => base64.replace(/\+/g, '-').replace(/\//g, '_');

/** The forms of a token that decoding a reading does not undo: unchanged, as UTF-8 bytes, and in base64. */
export function formsOf(token: string): TokenForms {
	const bytes = bytesOf(token);
	const plain = [token, bytes];
	const base64 = inBase64(bytes).flatMap((text) => [text, forUrls(text)]);
	const texts = [...new Set([...plain, ...base64])];
	const pattern = () => {
		// The adjacent characters contain some of its bits.
		const encoded = base64.map((text) => `[\\w+/-]?${literal(text)}[\\w+/-]?={0,2}`);
		return new RegExp([...plain.map(literal), ...encoded].join('|'), 'g');
	};
	return { texts, pattern };
}
