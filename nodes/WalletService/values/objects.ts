import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object with members, including an array. @example isObject([]) // true */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a JSON value can be an n8n item: an object, not an array. @example isItem([]) // false */
export function isItem(value: unknown): value is IDataObject {
	return isObject(value) && !Array.isArray(value);
}

/**
 * Copies an object without its absent members, `undefined` and `null`.
 *
 * @example defined({ id: 1, name: undefined, provider: null }) // { id: 1 }
 */
export function defined<T extends object>(fields: T): T {
	const present = Object.entries(fields).filter(
		([, value]) => value !== undefined && value !== null,
	);
	return Object.fromEntries(present) as T;
}

/**
 * Whether a value has more nested levels than 100; n8n cannot read an execution with thousands.
 *
 * @example isDeeper([[{}]]) // false
 */
export function isDeeper(value: unknown, levels = 100): boolean {
	if (!isObject(value)) return false;
	return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
