import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import { activeCredentialType } from './active-credential';
import { warnOfEmptyItem } from './hint';
import { contextOfItem } from './item-context';
import type { SendingOrder } from './node-run';
import { ITEMS_PER_TURN } from './node-run';
import { LIMITS } from './options';
import { sendInTurn } from './send-in-turn';

/** What n8n runs instead of its own routing. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Sends the request of an item, once, and gives what the `postReceive` functions of its route make of the answer. */
async function exchangeRouted(
	context: IExecuteSingleFunctions,
	request: IHttpRequestOptions,
	{ output = {} }: INodePropertyRouting,
): Promise<INodeExecutionData[]> {
	request.returnFullResponse = true;
	const response = await context.helpers.httpRequestWithAuthentication.call(
		context,
		activeCredentialType(context),
		request,
	);
	let items: INodeExecutionData[] = [{ json: response.body }];
	for (const action of output.postReceive ?? []) {
		if (typeof action !== 'function') throw new Error(`The route has an action "${action.type}"`);
		items = await action.call(context, items, response);
	}
	return items;
}

async function executeItem(
	context: IExecuteSingleFunctions,
	routing: INodePropertyRouting,
): Promise<INodeExecutionData[]> {
	const { url = '', method } = routing.request ?? {};
	let request: IHttpRequestOptions = { method, url, headers: {} };
	for (const prepare of routing.send?.preSend ?? []) request = await prepare.call(context, request);
	const makeRoutingRequest = async () => await exchangeRouted(context, request, routing);
	const pagination: IExecutePaginationFunctions = Object.create(context, {
		makeRoutingRequest: { value: makeRoutingRequest },
	});
	const requestData = { options: request, preSend: [], postReceive: [] };
	return await sendInTurn.call(pagination, requestData);
}

/**
 * Runs the declared route of an operation for all items. n8n's own routing evaluates the parameters of all items before
 * the first request can leave; here an item is read when its turn comes, so that requests are under way from the start.
 * Everything else is the same: the route with its `preSend` and `postReceive` functions, and `sendInTurn` around it.
 */
export function executeRoute(
	routing: INodePropertyRouting,
	order: SendingOrder = 'together',
): CustomOperation {
	// The run itself bounds how many of them are worked on.
	const atOnce = order === 'in order' ? 1 : ITEMS_PER_TURN * LIMITS.concurrency.max;
	return async function () {
		const itemCount = this.getInputData().length;
		const output: INodeExecutionData[][] = [];
		const failures = new Map<number, unknown>();
		let next = 0;
		const takeItems = async () => {
			while (next < itemCount && failures.size === 0) {
				const itemIndex = next++;
				const context = contextOfItem(this, itemIndex);
				const [result] = await Promise.allSettled([executeItem(context, routing)]);
				if (result.status === 'fulfilled') output[itemIndex] = result.value;
				else failures.set(itemIndex, result.reason);
			}
		};
		await Promise.all(Array.from({ length: Math.min(itemCount, atOnce) }, takeItems));
		if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
		const items = output.flat();
		warnOfEmptyItem(this, items);
		return [items];
	};
}
