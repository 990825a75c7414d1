import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Route } from '../http/routes';
import type { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import type { Run } from './run';

/** What an item is going to ask for. */
export interface PlannedRequest {
	/** Path from `/v1` on, filled in. */
	readonly url: string;
	/** Sends, in the item's slot; gives one entry per output item. */
	readonly send: (client: ServiceClient) => Promise<IDataObject[]>;
}

/**
 * Reads and checks an item's parameters, ahead of its slot.
 *
 * @param route the one of the operation
 * @throws InvalidInputError when one is not right.
 */
export type Plan = (item: Item, run: Run, route: Route) => Promise<PlannedRequest>;

/** What an item's way through the node takes from its operation. */
export interface Planned {
	readonly route: Route;
	/** What the user fills in, in the order of the form. */
	readonly input: readonly INodeProperties[];
	/** What shapes the output; shown below all inputs. */
	readonly output: readonly INodeProperties[];
	readonly plan: Plan;
	/** Writes: one at a time, in the order of the items. */
	readonly isSequential?: true;
	/** Completes the reason why an item failed, from the one that came up. */
	readonly explain?: (item: Item, error: unknown) => unknown;
}
