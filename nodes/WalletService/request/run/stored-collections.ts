import type { INode, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { refuse } from '../../values/invalid-input';
import { isItem } from '../../values/objects';
import { quote } from '../../values/quote';
import type { Declared } from '../failure/field-name';
import { entriesIn } from '../failure/field-name';

/** The rule by which a collection depends on what is stored in it. */
const ownRule = ({ name }: Pick<INodeProperties, 'name'>): string => `/${name}`;

/** A collection that offers no entries: the form shows it in workflows that have some from an earlier version of the node. */
export function onlyIfSaved(collection: INodeProperties): INodeProperties {
	const own = ownRule(collection);
	// n8n compares objects, although the type of a condition does not include them.
	const empty = {} as never;
	const show = { [own]: [{ _cnd: { exists: true } } as const] };
	const hide = { [own]: [{ _cnd: { eq: empty } } as const] };
	return { ...collection, displayOptions: { show, hide } };
}

/**
 * Declares a collection a second time, as a hidden parameter after the first. n8n drops undeclared entries of a
 * collection, and a collection that is not an object, but loads a hidden parameter as stored. Such values can then be
 * refused.
 */
export function asStored(collection: INodeProperties): INodeProperties {
	const { name, displayName, displayOptions = {} } = collection;
	const others = (rules: object = {}) =>
		Object.fromEntries(Object.entries(rules).filter(([rule]) => rule !== ownRule(collection)));
	const { show, hide } = displayOptions;
	const always = { show: others(show), hide: others(hide) };
	return { displayName, name, type: 'hidden', default: {}, displayOptions: always };
}

/** @param path the place of the stored value. @param offered the entries that the form shows */
function assertKnown(
	path: readonly string[],
	stored: unknown,
	entries: readonly Declared[],
	offered = entries,
): asserts stored is Record<string, unknown> {
	if (!isItem(stored)) {
		const hint = 'Add the entries one by one in the form; each can have its own expression';
		refuse(path, `${quote(stored)} is not an object with named entries`, hint);
	}
	for (const [name, value] of Object.entries(stored)) {
		const entry = entries.find((one) => one.name === name);
		if (entry === undefined) {
			const names = offered.map((one) => one.name).join(', ');
			const known = names === '' ? '' : `. Known entries: ${names}`;
			const hint = `Correct or remove it in the JSON of the node, or add the node again${known}`;
			refuse(path, `Unknown entry ${quote(name)}`, hint);
		}
		const inner = entriesIn(entry);
		if (inner !== undefined) assertKnown([...path, name], value, inner);
	}
}

/**
 * Returns the stored entries of a collection that the form shows; others remain from another operation.
 *
 * @throws InvalidInputError unless the stored value is an object of known names at each level.
 */
export function shownEntries(
	collection: INodeProperties,
	stored: unknown,
	node: INode,
): Record<string, unknown> {
	const entries = entriesIn(collection) ?? [];
	const shown = entries.filter(
		(entry) => 'type' in entry && NodeHelpers.displayParameter(node.parameters, entry, node, null),
	);
	assertKnown([collection.name], stored, entries, shown);
	const names = new Set(shown.map(({ name }) => name));
	return Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name)));
}
