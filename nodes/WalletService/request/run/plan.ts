import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ServiceError } from '../failure/service-error';
import type { Route } from '../http/routes';
import type { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import type { Run } from './run';

export interface PlannedRequest {
	/** Path from `/v1` on, filled in. */
	readonly url: string;
	/** Sends; returns one entry per output item. A failure concerns one part of the item; its other parts are present. */
	readonly send: (client: ServiceClient) => Promise<(IDataObject | ServiceError)[]>;
	/**
	 * Long-running: the item leaves its slot, and acquires one per request only, so that it keeps no other item waiting.
	 */
	readonly isLongRunning?: true;
}

export interface PlanInput {
	readonly url: string;
	/** Whether the output is simplified; otherwise it is the service's JSON untouched. */
	readonly isSimple: boolean;
}

/** Reads and checks an item's parameters, ahead of its requests. @throws InvalidInputError when one is invalid. */
export type Plan = (item: Item, run: Run, input: PlanInput) => Promise<PlannedRequest>;

export interface Planned {
	readonly route: Route;
	/** All parameters, in the order of the form. */
	readonly parameters: readonly INodeProperties[];
	/** The fields of its simplified items, in order; a model may receive only some of them. */
	readonly fields: readonly string[];
	readonly plan: Plan;
	/** Writes: one at a time, in the order of the items. */
	readonly isSequential?: true;
	/** Completes the error of a failed item. */
	readonly explain?: (item: Item, error: unknown) => unknown;
	/** What earlier attempts of the other items did, one line each: the error that ends the run must not hide it. */
	readonly recall?: (item: Item) => readonly string[];
}
