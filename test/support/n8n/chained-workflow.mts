import type { JsonObject } from '../../../tools/files/json.mts';

/** A node of a workflow, without its position. */
export interface ChainedNode extends JsonObject {
	name: string;
	type: string;
}

/**
 * A workflow whose nodes are chained, each after the previous one.
 *
 * @param id - At most 16 characters, like n8n's own IDs.
 * @param settings - Of the workflow, for example `executionTimeout`.
 */
export function chainedWorkflow(id: string, nodes: ChainedNode[], settings = {}): object {
	const connections = nodes.slice(1).map(({ name: node }, index) => {
		return [nodes[index]?.name, { main: [[{ node, type: 'main', index: 0 }]] }];
	});
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1', ...settings },
		nodes: nodes.map((node, index) => ({ id: node.name, position: [200 * index, 0], ...node })),
		connections: Object.fromEntries(connections),
	};
}

/**
 * A webhook at the beginning of a workflow.
 *
 * @param path - Unique among all workflows.
 * @param answer - Its answer: n8n's immediate reply, or the output of the last node, its first item or all of them.
 */
export const webhook = (
	path: string,
	answer: 'atOnce' | 'firstItem' | 'allItems' = 'allItems',
): ChainedNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: path,
	parameters: {
		httpMethod: 'POST',
		path,
		options: {},
		...(answer === 'atOnce' ? { responseMode: 'onReceived' } : { responseMode: 'lastNode' }),
		...(answer === 'allItems' && { responseData: 'allEntries' }),
	},
});

/** Makes an item of each element of `items` in the body posted to a webhook. */
export const itemsPosted: ChainedNode = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};

/** The beginning of a workflow that others call. */
export const calledByOthers: ChainedNode = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/**
 * Calls another workflow.
 *
 * @param workflow - Its ID.
 * @param mode - `each`: once for each item; `once`: with all items.
 * @param settings - Of the node, for example `retryOnFail`.
 */
export const callOf = (workflow: string, mode: 'each' | 'once', settings = {}): ChainedNode => ({
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.3,
	parameters: {
		source: 'database',
		workflowId: { __rl: true, mode: 'id', value: workflow },
		mode,
		options: { waitForSubWorkflow: true },
	},
	...settings,
});

/**
 * A Wallet Service node.
 *
 * @param credential - ID of a `walletServiceApi` credential.
 * @param settings - Of the node, for example `retryOnFail`.
 */
export const walletNode = (
	name: string,
	credential: string,
	parameters: JsonObject,
	settings = {},
): ChainedNode => ({
	name,
	type: 'n8n-nodes-wallet-service.walletService',
	typeVersion: 1,
	parameters,
	credentials: { walletServiceApi: { id: credential, name: credential } },
	...settings,
});
