/** A JSON number, between the strings of JSON text. */
const NUMBER = /-?\d[\d.eE+-]*/g;

function isJson(text: string): boolean {
	// A lone number or literal is more likely plain text.
	if (!/^\s*["[{]/.test(text)) return false;
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Index after the string that begins at `start`, in text that is known to be JSON. */
function endOfString(json: string, start: number): number {
	let index = start + 1;
	while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
	return index + 1;
}

/**
 * Maps the strings, names and numbers of JSON text, and nothing else: what is unchanged is kept digit for digit. A number
 * that changes becomes a string.
 *
 * @param change returns the new text for the value of a string, or for the digits of a number
 * @returns `undefined` if the text is not a JSON list, object or string
 * @example mapJsonTexts('[1.50, "x"]', (text) => text.replace('x', 'y')) // '[1.50, "y"]'
 */
export function mapJsonTexts(json: string, change: (text: string) => string): string | undefined {
	if (!isJson(json)) return undefined;
	const changed = (written: string, text: string): string => {
		const after = change(text);
		return after === text ? written : JSON.stringify(after);
	};
	const parts: string[] = [];
	let from = 0;
	// No regular expression for a string: one that is long and full of escapes would overflow the stack.
	for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', from)) {
		const end = endOfString(json, start);
		const written = json.slice(start, end);
		parts.push(json.slice(from, start).replace(NUMBER, (number) => changed(number, number)));
		parts.push(changed(written, String(JSON.parse(written))));
		from = end;
	}
	parts.push(json.slice(from).replace(NUMBER, (number) => changed(number, number)));
	return parts.join('');
}
