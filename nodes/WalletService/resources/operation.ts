import type { INodePropertyOptions } from 'n8n-workflow';

import type { Planned } from '../request/run/plan';

/** One operation: its entry in the list, its route, what the user fills in, the fields of its output, and its plan. */
export interface Operation extends Omit<Planned, 'output'> {
	/** The fields of its simplified items, in their order; a model may be given some of them only. */
	readonly fields: readonly string[];
	readonly option: Required<Pick<INodePropertyOptions, 'action' | 'description' | 'name'>> & {
		readonly value: string;
	};
}

/** One resource: its entry in the list, the operation that is chosen by default, and all operations. */
export interface Resource {
	readonly option: { readonly name: string; readonly value: string };
	readonly defaultOperation: string;
	readonly operations: readonly Operation[];
}
