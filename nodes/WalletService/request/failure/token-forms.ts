/** Encodings around each other that are seen through: JSON inside JSON in a URL, for example. */
const MAX_LAYERS = 3;

const BITS_OF_BYTE = 8;
/** A character of base64 holds so many bits. */
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
 * A text as it is, and as it reads with layers of JSON escapes and percent-encoding taken off, whichever lies outside. One
 * without backslash and percent sign has one reading.
 */
export function* readingsOf(text: string, layers = MAX_LAYERS): Generator<string> {
	yield text;
	if (layers === 0) return;
	for (const decode of [withoutEscapes, withoutPercents]) {
		const decoded = decode(text);
		if (decoded !== text) yield* readingsOf(decoded, layers - 1);
	}
}

/** Finds a token in a reading of a text. */
export interface TokenForms {
	/** How it may stand there: one of these is in every reading that holds it. */
	readonly texts: readonly string[];
	/** What to take away with it, everywhere; made when it is needed, which is hardly ever. */
	readonly pattern: () => RegExp;
}

const literal = (text: string): string => text.replace(/[^\w]/g, '\\$&');

/** A character for each byte that UTF-8 makes of a text. */
function bytesOf(text: string): string {
	if (/^[ -~]*$/.test(text)) return text;
	return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/**
 * What base64 makes of bytes wherever they stand: three texts, because three bytes are four characters. The characters
 * that hold bits of their neighbours as well are left out.
 */
function inBase64(bytes: string): string[] {
	return [0, 1, 2].map((before) => {
		const start = Math.ceil((before * BITS_OF_BYTE) / BITS_OF_CHARACTER);
		const end = Math.floor(((before + bytes.length) * BITS_OF_BYTE) / BITS_OF_CHARACTER);
		return btoa('\0'.repeat(before) + bytes).slice(start, end);
	});
}

const forUrls = (base64: string): string => base64.replace(/\+/g, '-').replace(/\//g, '_');

/** The forms of a token that no layer of a reading stands for: as it is, as bytes of UTF-8, and in base64. */
export function formsOf(token: string): TokenForms {
	const bytes = bytesOf(token);
	const plain = [token, bytes];
	const base64 = inBase64(bytes).flatMap((text) => [text, forUrls(text)]);
	const texts = [...new Set([...plain, ...base64])];
	const pattern = () => {
		// The characters beside it hold some of its bits.
		const encoded = base64.map((text) => `[\\w+/-]?${literal(text)}[\\w+/-]?={0,2}`);
		return new RegExp([...plain.map(literal), ...encoded].join('|'), 'g');
	};
	return { texts, pattern };
}
