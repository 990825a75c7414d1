/** Wallet Service nodes as tools of an AI agent or an MCP server, and a stand-in for the model. */
import { readText, type JsonObject } from '../../../tools/files/json.mts';
import type { Decide, ToolCall } from '../../../tools/model/chat-model.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { splitOut, walletNode, webhook, workflowOf, type WorkflowNode } from './workflow.mts';

/** Wallet Service nodes that are tools of another node. */
interface ToolSetup {
	/** Parameters of each tool, by name. */
	tools: Record<string, JsonObject>;
	/** ID of the tools' `walletServiceApi` credential. */
	credential: string;
	/** Settings of the tools' nodes, for example `retryOnFail`. */
	toolSettings?: JsonObject;
}

/** An agent: the nodes connected to it, and its settings. */
export interface AgentSetup extends ToolSetup {
	/** ID of the model's credential. */
	model: string;
	/** Version of n8n's AI Agent node. */
	agentVersion?: number;
	/** Number of prompts that the agent answers at the same time. */
	batchSize?: number;
}

const toolNodes = ({ tools, credential, toolSettings }: ToolSetup): WorkflowNode[] =>
	Object.entries(tools).map(([name, parameters]) => ({
		...walletNode(name, credential, parameters, toolSettings),
		type: 'n8n-nodes-wallet-service.walletServiceTool',
	}));

const offeredBy = (name: string, tools: readonly WorkflowNode[]) =>
	tools.map((tool) => [tool.name, name, 'ai_tool'] as const);

/** A workflow in which an AI agent answers the prompts that are posted to its webhook, whose path is the workflow's ID. */
export function agentWorkflow(
	id: string,
	{ model, agentVersion = 3.1, batchSize = 1, ...setup }: AgentSetup,
) {
	const tools = toolNodes(setup);
	const agent = {
		name: 'Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: agentVersion,
		parameters: {
			promptType: 'define',
			text: '={{ $json.prompt }}',
			options: { batching: { batchSize, delayBetweenBatches: 0 } },
		},
	};
	const languageModel = {
		// An agent before version 2 runs in the oldest tested n8n, which has only the older version of this node.
		name: 'Model',
		typeVersion: agentVersion < 2 ? 1.2 : 1.3,
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		parameters: {
			model: { __rl: true, mode: 'id', value: 'stand-in' },
			responsesApiEnabled: false,
			options: {},
		},
		credentials: { openAiApi: { id: model, name: model } },
	};
	const prompts = splitOut('prompts', { destinationFieldName: 'prompt' });
	return workflowOf(
		id,
		[webhook(id), prompts, agent, languageModel, ...tools],
		[
			['Webhook', prompts.name],
			[prompts.name, agent.name],
			[languageModel.name, agent.name, 'ai_languageModel'],
			...offeredBy(agent.name, tools),
		],
	);
}

/** A workflow that offers its tools to MCP clients; its ID is also the path of the MCP server. */
export function mcpWorkflow(id: string, setup: ToolSetup) {
	const tools = toolNodes(setup);
	const trigger = {
		name: 'MCP Server Trigger',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2.1,
		webhookId: id,
		parameters: { path: id, authentication: 'none' },
	};
	return workflowOf(id, [trigger, ...tools], offeredBy(trigger.name, tools));
}

/** Creates a built-in agent of n8n, and returns its ID. */
export async function createBuiltInAgent(
	client: N8nRestClient,
	name: string,
	{ tools, credential, model }: AgentSetup,
): Promise<string> {
	const walletServiceApi = { id: credential, name: credential };
	const node = { nodeType: 'n8n-nodes-wallet-service.walletService', nodeTypeVersion: 1 };
	const config = {
		model: 'openai/stand-in',
		credential: model,
		instructions: 'Call the tools that you are told to.',
		tools: Object.entries(tools).map(([tool, nodeParameters]) => ({
			type: 'node',
			name: tool,
			node: { ...node, nodeParameters, credentials: { walletServiceApi } },
		})),
	};
	const agent = { name, schema: { ...config, name } };
	const { id } = await client.post(`${await client.projectPath()}/agents/v2`, agent);
	return readText(id, 'the agent ID');
}

/** A prompt that makes the model call these tools, all calls of a round together. See {@link obey}. */
export const order = (...rounds: ToolCall[][]): string => JSON.stringify(rounds);

/** Calls the tools that the prompt orders, round by round, regardless of the results, which it finally returns as JSON. */
export const obey: Decide = ({ prompt, results }) => {
	let before = 0;
	for (const calls of JSON.parse(prompt) as ToolCall[][]) {
		if (before === results.length) return calls;
		before += calls.length;
	}
	return JSON.stringify(results);
};
