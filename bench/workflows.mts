/** Name of the node whose run is measured. */
export const MEASURED = 'Measured';

/** A node that is measured. */
export interface MeasuredNode {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials: object;
}

/** A workflow that measures a node. */
export interface WorkflowPlan {
	/** n8n takes 16 characters at most. */
	id: string;
	node: MeasuredNode;
	items: number;
	/** Items that are handled before, in the same process: n8n's code is compiled by then. */
	warmUpItems: number;
	/** The node that handles those, when it is another one. */
	warmUpNode?: MeasuredNode;
	/** Where the items come from: an address of the stub server. */
	itemsUrl: string;
}

interface WorkflowNode extends Omit<MeasuredNode, 'credentials'> {
	name: string;
	credentials?: object;
	executeOnce?: boolean;
}

/** Gets input items from the stub server: the answer is a list, of which n8n makes one item per entry. */
function itemSource(name: string, itemsUrl: string, count: number): WorkflowNode {
	const url = new URL(itemsUrl);
	url.searchParams.set('count', String(count));
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		executeOnce: true,
		parameters: { url: url.href },
	};
}

/** A workflow that runs the node over a few items to warm up, and then over the items that count. */
export function benchmarkWorkflow(plan: WorkflowPlan): object {
	const { id, node, items, warmUpItems, warmUpNode = node, itemsUrl } = plan;
	const chain: WorkflowNode[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		itemSource('Items to Warm Up', itemsUrl, warmUpItems),
		{ ...warmUpNode, name: 'Warm-Up' },
		itemSource('Items', itemsUrl, items),
		{ ...node, name: MEASURED },
	];
	const connections = chain
		.slice(1)
		.map(({ name }, index) => [
			chain[index]?.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return {
		id,
		name: id,
		active: false,
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
		},
		nodes: chain.map((one, index) => ({ id: one.name, position: [200 * index, 0], ...one })),
		connections: Object.fromEntries(connections),
	};
}
