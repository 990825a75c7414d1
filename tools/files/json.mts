import { readFileSync } from 'node:fs';

/** A JSON object with unknown members. */
export type JsonObject = Record<string, unknown>;

/** The start of a value's JSON: an answer can be millions of characters long. */
const inShort = (value: unknown): string => String(JSON.stringify(value)).slice(0, 300);

/** Reads a value as a JSON object. @throws Error for any other value, calling it `what`, for example `the run data`. */
export function readObject(value: unknown, what: string): JsonObject {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw new Error(`Expected an object for ${what}, got ${inShort(value)}`);
	}
	return { ...value };
}

/** Reads a value as an array. See {@link readObject}. */
export function readList(value: unknown, what: string): unknown[] {
	if (Array.isArray(value)) return value;
	throw new Error(`Expected a list for ${what}, got ${inShort(value)}`);
}

/** Reads a value as an array of JSON objects. See {@link readObject}. */
export const readObjects = (value: unknown, what: string): JsonObject[] =>
	readList(value, what).map((one) => readObject(one, what));

/** Reads a value as a string. See {@link readObject}. */
export function readText(value: unknown, what: string): string {
	if (typeof value === 'string') return value;
	throw new Error(`Expected text for ${what}, got ${inShort(value)}`);
}

/** Reads a JSON object from a file. */
export const readJsonFile = (file: string): JsonObject =>
	readObject(JSON.parse(readFileSync(file, 'utf8')), file);
