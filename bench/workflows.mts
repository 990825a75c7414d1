/** Name of the measured node. */
export const MEASURED = 'Measured';

export interface MeasuredNode {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
	credentials: object;
}

/** A workflow that measures a node. */
export interface WorkflowPlan {
	/** At most 16 characters, n8n's limit. */
	id: string;
	node: MeasuredNode;
	items: number;
	/** Number of items that warm up the same process, so that n8n's code is compiled. */
	warmUpItems: number;
	/** The node for the warm-up items, if it differs from the measured node. */
	warmUpNode?: MeasuredNode;
	/** URL of the input items at the stub server. */
	itemsUrl: string;
}

interface WorkflowNode extends Omit<MeasuredNode, 'credentials'> {
	name: string;
	credentials?: object;
	executeOnce?: boolean;
}

/** Requests input items from the stub server, as a list; n8n makes one item per entry. */
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

/** A workflow that runs the node over a few warm-up items, then over the measured items. */
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
