/** Builds workflows in n8n's JSON, and adds the members that all their nodes have in common. */
import type { JsonObject } from '../../../tools/files/json.mts';

/** A node of a workflow, without its position; version 1 by default. */
export interface WorkflowNode extends JsonObject {
	name: string;
	type: string;
}

/** A connection between two nodes, by name; its type is `main` by default. */
type Connection = readonly [from: string, to: string, type?: string];

/** A workflow with an ID of at most 16 characters, like n8n's own IDs, and settings such as `executionTimeout`. */
export function workflowOf(
	id: string,
	nodes: readonly WorkflowNode[],
	connected: readonly Connection[],
	settings = {},
): JsonObject {
	const connections: Record<string, Record<string, object[][]>> = {};
	for (const [from, node, type = 'main'] of connected) {
		const [targets] = ((connections[from] ??= {})[type] ??= [[]]);
		targets?.push({ node, type, index: 0 });
	}
	return {
		id,
		name: id,
		active: false,
		connections,
		settings: { executionOrder: 'v1', ...settings },
		nodes: nodes.map((node, index) => ({
			id: node.name,
			typeVersion: 1,
			position: [200 * index, 0],
			parameters: {},
			...node,
		})),
	};
}

/** A workflow whose nodes are chained, each after the previous one. See {@link workflowOf}. */
export function chainedWorkflow(id: string, nodes: readonly WorkflowNode[], settings = {}) {
	const names = nodes.map(({ name }) => name);
	const connected = names.slice(1).map((name, index) => [names[index] ?? '', name] as const);
	return workflowOf(id, nodes, connected, settings);
}

const credentialOf = (type: string, id: string) => ({ credentials: { [type]: { id, name: id } } });

/** Makes a node sign in by OAuth2. @param id - ID of a `walletServiceOAuth2Api` credential. */
export const signedIn = (id: string) => credentialOf('walletServiceOAuth2Api', id);

/** A Wallet Service node with the ID of a `walletServiceApi` credential, and settings such as `retryOnFail`. */
export const walletNode = (
	name: string,
	credential: string,
	parameters: JsonObject,
	settings: JsonObject = {},
): WorkflowNode => ({
	name,
	type: 'n8n-nodes-wallet-service.walletService',
	parameters,
	...credentialOf('walletServiceApi', credential),
	...settings,
});

/** Parameters of a contract call by function signature, with the arguments as JSON. */
export const contractCall = (
	operation: 'read' | 'write',
	contractAddress: string,
	abi: string,
	args = '[]',
): JsonObject => ({
	resource: 'contract',
	functionSource: 'signature',
	argumentsMode: 'json',
	operation,
	contractAddress,
	abi,
	args,
});

/** By node name: settings such as `onError`, and the predecessor of a node that does not follow the trigger directly. */
interface WalletWorkflowOptions {
	settings?: Record<string, JsonObject>;
	behind?: Record<string, string>;
}

/** A workflow with a manual trigger and, by default directly after it, a {@link walletNode} for each name with its parameters. */
export function walletWorkflow(
	id: string,
	credential: string,
	operations: Record<string, JsonObject>,
	{ settings = {}, behind = {} }: WalletWorkflowOptions = {},
) {
	const nodes = Object.entries(operations).map(([name, parameters]) =>
		walletNode(name, credential, parameters, settings[name]),
	);
	return workflowOf(
		id,
		[{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }, ...nodes],
		nodes.map(({ name }) => [behind[name] ?? 'Start', name]),
	);
}

/** A webhook with a unique path, and its answer: n8n's immediate reply, or all items of the last node. */
export const webhook = (
	path: string,
	answer: 'atOnce' | 'allItems' = 'allItems',
): WorkflowNode => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: path,
	parameters: {
		httpMethod: 'POST',
		path,
		options: {},
		responseMode: answer === 'atOnce' ? 'onReceived' : 'lastNode',
		...(answer === 'allItems' && { responseData: 'allEntries' }),
	},
});

/** Turns each element of a list in the body posted to a webhook into an item. */
export const splitOut = (list: string, options = {}): WorkflowNode => ({
	name: 'Items',
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: `body.${list}`, options },
});

/** Makes an item from each element of `items` in the body posted to a webhook. */
export const itemsPosted = splitOut('items');

/** Reads items from a server, as from a table that can change. */
export const rowsOf = (url: string): WorkflowNode => ({
	name: 'Rows',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: { url, options: {} },
});

/** A workflow that passes the items posted to its webhook to a node one by one. */
export function loopOver(id: string, node: WorkflowNode): JsonObject {
	const batches = { name: 'Each', type: 'n8n-nodes-base.splitInBatches', typeVersion: 3 };
	const nodes = [webhook(id), itemsPosted, batches, node];
	const connected = [
		['Webhook', 'Items'],
		['Items', 'Each'],
		[node.name, 'Each'],
	] as const;
	const { connections, ...loop } = workflowOf(id, nodes, connected);
	const toNode = [{ node: node.name, type: 'main', index: 0 }];
	return { ...loop, connections: { ...Object(connections), Each: { main: [[], toNode] } } };
}

/** Waits for a person's answer to a form. */
export const formOf = (webhookId: string): WorkflowNode => ({
	name: 'Form',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	webhookId,
	parameters: {
		resume: 'form',
		formTitle: 'Continue?',
		options: {},
		formFields: { values: [{ fieldLabel: 'Answer' }] },
	},
});

/** The first node of a workflow that others call. */
export const calledByOthers: WorkflowNode = {
	name: 'Called',
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	parameters: { inputSource: 'passthrough' },
};

/** Calls another workflow by its ID, once for each item or once with all items. */
export const callOf = (workflow: string, mode: 'each' | 'once', settings = {}): WorkflowNode => ({
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
