import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { SendingOrder } from '../request/node-run';

/** One operation: its entry in the list, with its route, and what it shows. */
export interface Operation {
	readonly option: INodePropertyOptions;
	/** What the user fills in, in the order of the form. */
	readonly input: readonly INodeProperties[];
	/** What shapes the output; shown below all inputs. */
	readonly output: readonly INodeProperties[];
	/** Together unless said otherwise. */
	readonly order?: SendingOrder;
}

/** One resource: its entry in the list, the parameter that chooses its operation, and the operations. */
export interface Resource {
	readonly option: INodePropertyOptions;
	readonly operationList: INodeProperties;
	readonly operations: readonly Operation[];
}
