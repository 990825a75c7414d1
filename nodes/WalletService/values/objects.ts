import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object with members, an array included. */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}

/** Whether a JSON value can be an item as it came: an object, no array. */
export function isItem(value: unknown): value is IDataObject {
	return isObject(value) && !Array.isArray(value);
}
