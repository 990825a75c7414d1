/** A number as JSON has it, between the strings of a JSON text. */
const NUMBER = /-?\d[\d.eE+-]*/g;

function isJson(text: string): boolean {
	// A lone number or literal is more likely a word of somebody's.
	if (!/^\s*["[{]/.test(text)) return false;
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Index behind the string that begins at `start`, in a text that is known to be JSON. */
function endOfString(json: string, start: number): number {
	let index = start + 1;
	while (json[index] !== '"') index += json[index] === '\\' ? 2 : 1;
	return index + 1;
}

/**
 * Changes strings, names and numbers of a JSON text, and nothing else of it: what stays is written as it was, digit for
 * digit. A number that changes becomes a string.
 *
 * @param change gives the new text for a string's value, or for the digits of a number
 * @returns `undefined` when the text is not a JSON list, object or string
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
