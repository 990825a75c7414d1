import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ServiceError } from '../failure/service-error';
import type { Route } from '../http/routes';
import type { ServiceClient } from '../http/service-client';
import type { Item } from './item';
import type { Run } from './run';

export interface PlannedRequest {
	/** Path of the request with its values, beginning with `/v1`. */
	readonly url: string;
	/** Sends the requests; returns one entry per output item. A ServiceError stands for one failed part of the item. */
	readonly send: (client: ServiceClient) => Promise<(IDataObject | ServiceError)[]>;
	/** Whether the item releases its slot and acquires one per request, so that it does not block other items. */
	readonly isLongRunning?: true;
}

export interface PlanInput {
	readonly url: string;
	/** Whether the output is simplified; otherwise it is the service's JSON, unchanged. */
	readonly isSimple: boolean;
}

/** Reads and checks an item's parameters before its requests. @throws InvalidInputError if one is invalid. */
export type Plan = (item: Item, run: Run, input: PlanInput) => Promise<PlannedRequest>;

export interface Planned {
	readonly route: Route;
	/** All parameters, in the order of the form. */
	readonly parameters: readonly INodeProperties[];
	/** The fields of its simplified items, in order; a model may receive only some of them. */
	readonly fields: readonly string[];
	readonly plan: Plan;
	/** Whether the items are processed one at a time and in order, because they are writes. */
	readonly isSequential?: true;
	/** Extends the error of a failed item. */
	readonly explain?: (item: Item, error: unknown) => unknown;
	/** Notes what an item asks for, before any item of a Retry is decided. */
	readonly foresee?: (item: Item, run: Run) => Promise<void>;
	/** Submissions of other items' earlier attempts, one line each, for the error that stops the run. */
	readonly recall?: (item: Item, run: Run) => readonly string[];
}
