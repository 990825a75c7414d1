import { escapeInvisible } from './foreign-text';

const MAX_SHOWN = 80;

/** The JSON value of a date and the like. */
function plainOf(value: object): unknown {
	return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

/**
 * A copy of the part of a value that an error shows. An answer can be too deep for `JSON.stringify`, which would overflow
 * the stack, and too long to be serialized for its beginning alone.
 */
function beginningOf(value: unknown): unknown {
	const seen = new Set<object>();
	// Each part of a value takes at least one character.
	let room = MAX_SHOWN;
	const copy = (given: unknown): unknown => {
		room -= 1;
		const part = typeof given === 'object' && given !== null ? plainOf(given) : given;
		if (typeof part === 'string') return part.slice(0, MAX_SHOWN);
		if (typeof part === 'bigint') return part.toString();
		if (typeof part !== 'object' || part === null) return part;
		if (seen.has(part)) return '[repeated]';
		seen.add(part);
		return Array.isArray(part) ? elementsOf(part) : membersOf(part);
	};
	const elementsOf = (list: readonly unknown[]): unknown[] => {
		const elements: unknown[] = [];
		for (const element of list) {
			if (room <= 0) break;
			elements.push(copy(element));
		}
		return elements;
	};
	const membersOf = (object: object): unknown => {
		const members: [name: string, value: unknown][] = [];
		for (const [name, member] of Object.entries(object)) {
			if (room <= 0) break;
			members.push([name.slice(0, MAX_SHOWN), copy(member)]);
		}
		return Object.fromEntries(members);
	};
	return copy(value);
}

function asText(value: unknown): string {
	if (typeof value === 'bigint') return value.toString();
	if (value === undefined || typeof value === 'function' || typeof value === 'symbol') {
		return typeof value;
	}
	return escapeInvisible(JSON.stringify(beginningOf(value)));
}

/**
 * A value as an error message shows it: JSON in which everything can be seen, at most 80 characters, however long or deep
 * the value is.
 *
 * @example quote('0xabc') // '"0xabc"'
 */
export function quote(value: unknown): string {
	const text = asText(value);
	return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
