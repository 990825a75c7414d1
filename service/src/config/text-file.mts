import { readFile } from 'node:fs/promises';

const MARKS: readonly (readonly [encoding: string, ...bytes: number[]])[] = [
	['utf-16le', 0xff, 0xfe],
	['utf-16be', 0xfe, 0xff],
];

/**
 * Reads a text file in UTF-8, or in UTF-16 with a byte order mark, as editors on Windows write it. The mark is not part of the
 * text.
 *
 * @throws Error naming the file if it is in another encoding; the system's error if it cannot be read
 */
export async function readTextFile(file: string): Promise<string> {
	const bytes = await readFile(file);
	const [encoding = 'utf-8'] =
		MARKS.find(([, ...mark]) => mark.every((byte, place) => bytes[place] === byte)) ?? [];
	const text = decode(bytes, encoding);
	if (text !== undefined && !text.includes('\0')) return text;
	throw new Error(`${file} is not in UTF-8: save it in this encoding`);
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}
