import type { IExecuteSingleFunctions, ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import type { Field } from '../../values/invalid-input';
import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { shownEntries } from './stored-collections';

/** Reads a parameter by name; `isStored` returns it as the node stores it, with its expressions. */
export type ReadParameter = (name: string, fallback: unknown, isStored?: boolean) => unknown;

/** Parameters that may contain long text: an ABI, and the arguments of a call. */
const LONG_TEXTS = new Set(['args', 'arguments.value', 'contractAbi', 'options.args']);
const MAX_LONG_TEXT = 1_000_000;
const MAX_CHARACTERS = 20_000;

/** Length of the longest string in a value. An expression can return any value, even a circular one. */
function longestText(value: unknown): number {
	const pending = new Set([value]);
	let longest = 0;
	for (const part of pending) {
		if (typeof part === 'string') longest = Math.max(longest, part.length);
		else if (isObject(part)) for (const member of Object.values(part)) pending.add(member);
	}
	return longest;
}

/** Refuses overlong text, because searching it could block n8n for many seconds. */
function assertNotTooLong(value: unknown, parameter: Field): void {
	const length = longestText(value);
	const isLong = LONG_TEXTS.has([parameter].flat().join('.'));
	const most = isLong ? MAX_LONG_TEXT : MAX_CHARACTERS;
	if (length <= most) return;
	const problem = `The value has ${length} characters`;
	refuse(parameter, problem, `Enter at most ${most} characters`);
}

function isFixed(value: unknown): boolean {
	if (typeof value === 'string') return !value.startsWith('=');
	return !isObject(value) || Object.values(value).every(isFixed);
}

/** Parameters whose entries errors show without the name of the parameter. */
const CLEAR: ReadonlySet<Field> = new Set(['arguments.value', 'filters']);

/** Refuses the empty result of a field's default expression: the previous step returned no value for it. */
function refuseDefault({ name, displayName }: INodeProperties): never {
	const noun = displayName.toLowerCase().split(' ').at(-1);
	const hint = `Place this step after Send tokens, or switch the field to Fixed and enter the ${noun}`;
	return refuse(name, `The previous step returned no ${noun}`, hint);
}

/** Refuses an expression without a result, in a parameter or its entries, because its meaning cannot be guessed. */
function assertHasResult(
	raw: unknown,
	value: unknown,
	parameter: Field,
	declared: readonly INodeProperties[],
): void {
	if (typeof raw === 'string' && raw.startsWith('=')) {
		if (value !== undefined && value !== null && value !== '') return;
		const own = declared.find(({ default: first }: { readonly default: unknown }) =>
			isObject(first) ? first.value === raw : first === raw,
		);
		if (own !== undefined) refuseDefault(own);
		refuse(
			parameter,
			`The expression returned nothing (${value === '' ? 'empty text' : String(value)})`,
			'Correct the expression, or the step that it reads, so that it returns a value for this item',
		);
	}
	if (!isObject(raw) || !isObject(value)) return;
	for (const [entry, part] of Object.entries(raw)) {
		// The value of a resource locator is the parameter's own value.
		const inner = CLEAR.has(parameter) ? entry : [parameter, entry].flat();
		assertHasResult(part, value[entry], '__rl' in raw ? parameter : inner, declared);
	}
}

/**
 * Returns a function that reads parameters as n8n does, except that a value without an expression is used as stored,
 * which saves much time per item. The caller checks the values, so n8n's own validation is skipped.
 *
 * @param context the context of an item
 * @param parameters the declared parameters; of a collection, only the entries that the form shows are read
 * @param fixed values without expressions, by parameter, shared by all items of a run, because n8n copies the node on
 * each read
 * @throws InvalidInputError for an expression without a result (`undefined`, `null`, an empty string, or white space
 * outside collections), a collection that is not an object of known names, or text that is too long; n8n's own error
 * for an expression that fails.
 */
export function parameterReader(
	context: Pick<IExecuteSingleFunctions, 'getNode' | 'getNodeParameter'>,
	parameters: readonly INodeProperties[],
	fixed = new Map<string, unknown>(),
): ReadParameter {
	return (name, fallback, isStored = false) => {
		if (fixed.has(name)) return fixed.get(name);
		const stored: unknown = context.getNodeParameter(name, fallback, { rawExpressions: true });
		if (isStored) return stored;
		const collection = parameters.find((one) => one.name === name && one.type === 'collection');
		const entries = collection && shownEntries(collection, stored, context.getNode());
		const raw = entries ?? stored;
		const assertLengths = (value: unknown): void => {
			if (entries === undefined || !isObject(value)) assertNotTooLong(value, name);
			else for (const [one, part] of Object.entries(value)) assertNotTooLong(part, [name, one]);
		};
		if (isFixed(raw)) {
			assertLengths(raw);
			fixed.set(name, raw);
			return raw;
		}
		const evaluate = (path: string): unknown =>
			context.getNodeParameter(path, fallback, { skipValidation: true });
		const value =
			entries === undefined
				? evaluate(name)
				: Object.fromEntries(Object.keys(entries).map((one) => [one, evaluate(`${name}.${one}`)]));
		// Two expressions without a result leave only the white space between them.
		assertHasResult(raw, typeof value === 'string' ? value.trim() : value, name, parameters);
		assertLengths(value);
		return value;
	};
}

/** Reads the Options of an item, by name. */
export function readOptions(read: ReadParameter): Record<string, unknown> {
	const given = read('options', {});
	return isObject(given) ? given : {};
}

/**
 * Returns a function that reads parameters of the form that a user is filling in; the fallback replaces an absent one.
 *
 * @throws InvalidInputError for text that is too long.
 */
export function formReader(
	context: Pick<ILoadOptionsFunctions, 'getCurrentNodeParameter'>,
): ReadParameter {
	return (name, fallback) => {
		const value: unknown = context.getCurrentNodeParameter(name) ?? fallback;
		assertNotTooLong(value, name);
		return value;
	};
}
