import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Route } from '../http/routes';
import type { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import type { Run } from './run';

/** The request that an item will send. */
export interface PlannedRequest {
	/** Path from `/v1` on, filled in. */
	readonly url: string;
	/** Sends; returns one entry per output item. */
	readonly send: (client: ServiceClient) => Promise<IDataObject[]>;
	/** May wait long between its requests: the item does not count as one in progress, and keeps no other one waiting. */
	readonly isPatient?: true;
}

/**
 * Reads and checks an item's parameters, ahead of its requests.
 *
 * @param route that of the operation
 * @throws InvalidInputError when one is invalid.
 */
export type Plan = (item: Item, run: Run, route: Route) => Promise<PlannedRequest>;

/** The part of an operation that the run of an item needs. */
export interface Planned {
	readonly route: Route;
	/** What the user fills in, in the order of the form. */
	readonly input: readonly INodeProperties[];
	/** What shapes the output; shown below all inputs. */
	readonly output: readonly INodeProperties[];
	readonly plan: Plan;
	/** Writes: one at a time, in the order of the items. */
	readonly isSequential?: true;
	/** Completes the error with which an item failed. */
	readonly explain?: (item: Item, error: unknown) => unknown;
	/** What earlier tries of the other items did, one line each: the error that ends the run must not hide it. */
	readonly recall?: (item: Item) => readonly string[];
}

/** All that the form of an operation has. */
export const parametersOf = ({ input, output }: Planned): INodeProperties[] => [
	...input,
	...output,
];
