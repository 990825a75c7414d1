const MAX_LENGTH = 80;

function asText(value: unknown): string {
	if (typeof value === 'bigint') return value.toString();
	if (value === undefined || typeof value === 'function' || typeof value === 'symbol') {
		return typeof value;
	}
	const seen = new WeakSet<object>();
	return JSON.stringify(value, (_key, part: unknown) => {
		if (typeof part === 'bigint') return part.toString();
		if (typeof part !== 'object' || part === null) return part;
		if (seen.has(part)) return '[repeated]';
		seen.add(part);
		return part;
	});
}

/**
 * A value as an error message shows it: JSON, at most 80 characters.
 *
 * @example quote('0xabc') // '"0xabc"'
 */
export function quote(value: unknown): string {
	const text = asText(value);
	return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}
