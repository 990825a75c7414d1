import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import type { Field } from '../../values/invalid-input';

export type Declared = INodeProperties | INodePropertyCollection;

/** The entries of a collection, groups of a fixed collection or fields of a group; `undefined` for anything else. */
export function entriesIn(holder: Declared): readonly Declared[] | undefined {
	if ('values' in holder) return holder.values;
	const { type, options = [] } = holder;
	const isCollection = type === 'collection' || type === 'fixedCollection';
	return isCollection ? options.filter((one) => 'displayName' in one) : undefined;
}

/** Formats a field for errors: the display names along its path, without the suffix that n8n's lint requires for lists. */
export function fieldName(field: Field, parameters: readonly INodeProperties[]): string {
	const names: string[] = [];
	// The entries of a collection such as Filters are clear without its name.
	let known: readonly Declared[] = [
		...parameters,
		...parameters.flatMap((one) => entriesIn(one) ?? []),
	];
	for (const step of [field].flat()) {
		const found = known.find(({ name }) => name === step);
		known = (found && entriesIn(found)) ?? [];
		// The form shows no name for the only group of a fixed collection.
		if (found === undefined || 'type' in found)
			names.push((found?.displayName ?? step).replace(/ Name or ID$/, ''));
	}
	return names.join(': ');
}
