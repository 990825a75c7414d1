import { startChatModel, type ToolCall } from '../../../../tools/model/chat-model.mts';
import type { JsonObject } from '../../../../tools/files/json.mts';
import { readList, readObject, readText } from '../../../../tools/files/json.mts';
import { withModules } from '../../../../tools/n8n/environment.mts';
import { signInAsOwner } from '../../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../../tools/n8n/server.mts';
import { modelCredential } from '../../../../tools/sandbox/credentials.mts';
import type { Resources } from '../../../support/resources.mts';
import { obey, order } from '../../../support/n8n/obedient-model.mts';
import type { ToolSetup } from '../../../support/n8n/tool-nodes.mts';
import type { Workspace } from '../../../support/n8n/workspace.mts';

/** The result of a tool for the model of a built-in agent. */
export interface ToolOutcome {
	/** Its error message; empty if it succeeded. */
	error: string;
	items: JsonObject[];
}

/** A running n8n with built-in agents, and a stand-in for their model. */
export interface RunningBuiltInAgents {
	/** Makes the model of an agent call tools in a new chat, round by round; returns the result of each call. */
	ask(agent: string, ...rounds: ToolCall[][]): Promise<ToolOutcome[]>;
}

function readOutcome({ output, isError }: JsonObject): ToolOutcome {
	if (isError === true) return { error: readText(output, 'the error'), items: [] };
	const items = readList(readObject(output, 'the output').data, 'the items');
	return {
		error: '',
		items: items.map((item) => readObject(readObject(item, 'an item').json, 'json')),
	};
}

/** Starts n8n on a workspace, and creates a built-in agent for each set of tools: by name. */
export async function startBuiltInAgents(
	resources: Resources,
	{ userFolder }: Workspace,
	agents: Record<string, ToolSetup>,
): Promise<RunningBuiltInAgents> {
	const model = await resources.use(startChatModel(obey));
	const credential = modelCredential(`${model.url}/v1`, 'not needed');
	const n8n = await resources.use(startN8n(userFolder, 0, withModules('agents')));
	const client = await signInAsOwner(n8n.url);
	await client.changeCredential(credential);
	const ids = new Map<string, string>();
	for (const [name, setup] of Object.entries(agents)) {
		const walletServiceApi = { id: setup.credential, name: setup.credential };
		const tools = Object.entries(setup.tools).map(([tool, nodeParameters]) => ({
			type: 'node',
			name: tool,
			node: {
				nodeType: 'n8n-nodes-wallet-service.walletService',
				nodeTypeVersion: 1,
				nodeParameters,
				credentials: { walletServiceApi },
			},
		}));
		const instructions = 'Call the tools that you are told to.';
		const config = { model: 'openai/stand-in', credential: credential.id, instructions, tools };
		ids.set(name, await client.createAgent(name, config));
	}
	return {
		async ask(agent, ...rounds) {
			const events = await client.chatWithAgent(ids.get(agent) ?? '', order(...rounds));
			const failure = events.find(({ type }) => type === 'error');
			if (failure !== undefined) throw new Error(`The agent failed: ${String(failure.message)}`);
			return events.filter(({ type }) => type === 'tool-result').map(readOutcome);
		},
	};
}
