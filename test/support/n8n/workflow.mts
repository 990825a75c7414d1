/** The values for the Wallet Service node: `resource`, `operation` and their parameters. */
export type NodeParameters = Record<
	string,
	string | number | boolean | Record<string, string | number | boolean>
>;

/** The parts of a workflow besides the parameters of its nodes. */
export interface WorkflowOptions {
	/** Settings of nodes, by node name: `onError`, `retryOnFail`, ... */
	settings?: Record<string, object>;
	/** Nodes that take their items from another one, by node name. */
	behind?: Record<string, string>;
}

const TRIGGER = 'Start';

/**
 * A workflow with a manual trigger and, side by side after it by default, one Wallet Service node for each entry.
 *
 * @param id - At most 16 characters, like n8n's own IDs.
 * @param credentialId - Of a `walletServiceApi` credential.
 * @param operations - Node name to parameters.
 */
export function walletWorkflow(
	id: string,
	credentialId: string,
	operations: Record<string, NodeParameters>,
	{ settings = {}, behind = {} }: WorkflowOptions = {},
): object {
	const names = Object.keys(operations);
	const walletNodes = Object.entries(operations).map(([name, parameters], index) => ({
		id: name,
		name,
		type: 'n8n-nodes-wallet-service.walletService',
		typeVersion: 1,
		position: [250, 150 * index],
		parameters,
		credentials: { walletServiceApi: { id: credentialId, name: credentialId } },
		...settings[name],
	}));
	const trigger = {
		id: TRIGGER,
		name: TRIGGER,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const branchesOf = (source: string) =>
		names
			.filter((name) => (behind[name] ?? TRIGGER) === source)
			.map((node) => ({ node, type: 'main', index: 0 }));
	const connections = [TRIGGER, ...names].map((name) => [name, { main: [branchesOf(name)] }]);
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [trigger, ...walletNodes],
		connections: Object.fromEntries(connections),
	};
}
