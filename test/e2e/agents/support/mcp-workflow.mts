import type { ToolSetup } from '../../../support/n8n/tool-nodes.mts';
import { toolNodes } from '../../../support/n8n/tool-nodes.mts';

const TRIGGER = 'MCP Server Trigger';

/**
 * A workflow that offers Wallet Service nodes as tools to MCP clients.
 *
 * @param id - At most 16 characters, like n8n's own IDs; also the path of the MCP server.
 */
export function mcpWorkflow(id: string, setup: ToolSetup): object {
	const trigger = {
		id: TRIGGER,
		name: TRIGGER,
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2.1,
		webhookId: id,
		position: [0, 0],
		parameters: { path: id, authentication: 'none' },
	};
	const { nodes, connections } = toolNodes(setup, TRIGGER);
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [trigger, ...nodes],
		connections,
	};
}
