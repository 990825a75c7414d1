import type { JsonObject } from '../../../tools/files/json.mts';

/** A node of a workflow, but for where it stands in it. */
export interface ChainedNode extends JsonObject {
	name: string;
	type: string;
}

/**
 * A workflow whose nodes stand in a row, each behind the one before.
 *
 * @param id - At most 16 characters, as n8n's own ids.
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
 * A webhook at the begin of a workflow.
 *
 * @param path - The same for no other workflow.
 * @param answer - What it answers with: what n8n says at once, or what the last node gives out, its first item or all of them.
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

/** Makes an item of each element of `items` in what was posted to a webhook. */
export const itemsPosted: ChainedNode = {
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	typeVersion: 1,
	parameters: { fieldToSplitOut: 'body.items', options: {} },
};

/** The begin of a workflow that others call. */
export const calledByOthers: ChainedNode = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/**
 * Calls another workflow.
 *
 * @param workflow - Its id.
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
 * @param credential - Id of a `walletServiceApi` credential.
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
