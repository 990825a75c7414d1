import type { ToolSetup } from './tool-nodes.mts';
import { toolNodes } from './tool-nodes.mts';

/** The nodes connected to the agent, and how. */
export interface AgentSetup extends ToolSetup {
	/** ID of the model's credential. */
	model: string;
	/** Version of n8n's AI Agent node. */
	agentVersion?: number;
	/** Number of prompts that the agent answers at the same time. */
	batchSize?: number;
}

const HOOK = 'Asked';
const SPLIT = 'Each prompt';
const AGENT = 'Agent';
const MODEL = 'Model';

const agentNodes = (id: string, { model, agentVersion = 3.1, batchSize = 1 }: AgentSetup) => [
	{
		id: HOOK,
		name: HOOK,
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: id,
		position: [0, 0],
		parameters: {
			path: id,
			httpMethod: 'POST',
			responseMode: 'lastNode',
			responseData: 'allEntries',
			options: {},
		},
	},
	{
		id: SPLIT,
		name: SPLIT,
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		position: [100, 0],
		parameters: { fieldToSplitOut: 'body.prompts', options: { destinationFieldName: 'prompt' } },
	},
	{
		id: AGENT,
		name: AGENT,
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: agentVersion,
		position: [200, 0],
		parameters: {
			promptType: 'define',
			text: '={{ $json.prompt }}',
			options: { batching: { batchSize, delayBetweenBatches: 0 } },
		},
	},
	{
		id: MODEL,
		name: MODEL,
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.3,
		position: [100, 200],
		parameters: {
			model: { __rl: true, mode: 'id', value: 'stand-in' },
			responsesApiEnabled: false,
			options: {},
		},
		credentials: { openAiApi: { id: model, name: model } },
	},
];

/**
 * A workflow in which an AI agent answers the prompts that are posted to its webhook, with Wallet Service nodes as its tools.
 *
 * @param id - At most 16 characters, like n8n's own IDs; also the path of the webhook.
 */
export function agentWorkflow(id: string, setup: AgentSetup): object {
	const tools = toolNodes(setup, AGENT);
	const toAgent = (type: string) => ({ [type]: [[{ node: AGENT, type, index: 0 }]] });
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [...agentNodes(id, setup), ...tools.nodes],
		connections: {
			[HOOK]: { main: [[{ node: SPLIT, type: 'main', index: 0 }]] },
			[SPLIT]: toAgent('main'),
			[MODEL]: toAgent('ai_languageModel'),
			...tools.connections,
		},
	};
}
