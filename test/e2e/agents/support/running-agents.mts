import axios from 'axios';
import {
	startChatModel,
	type ChatModel,
	type ToolCall,
} from '../../../../tools/model/chat-model.mts';
import type { JsonObject } from '../../../../tools/files/json.mts';
import { readList, readObject, readText } from '../../../../tools/files/json.mts';
import { signInAsOwner, type N8nRestClient } from '../../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../../tools/n8n/server.mts';
import { modelCredential } from '../../../../tools/sandbox/credentials.mts';
import { agentWorkflow, type AgentSetup } from '../../../support/n8n/agent-workflow.mts';
import type { Resources } from '../../../support/resources.mts';
import { obey, order } from '../../../support/n8n/obedient-model.mts';
import { publishNew } from '../../../support/n8n/published.mts';
import type { Workspace } from '../../../support/n8n/workspace.mts';

/** A running n8n in which agents answer, with a stand-in for their model. */
export interface RunningAgents {
	model: ChatModel;
	/** Address of n8n. */
	url: string;
	client: N8nRestClient;
	/**
	 * Makes the model of a workflow's agent call tools, round by round.
	 *
	 * @returns the result of each call as the model receives it: a list of items.
	 */
	ask(workflow: string, ...rounds: ToolCall[][]): Promise<JsonObject[][]>;
	/** The same for several items of one execution, each with its own rounds. */
	askForItems(workflow: string, items: ToolCall[][][]): Promise<JsonObject[][][]>;
}

/** The items in a tool's result; a failed tool of an older agent returns empty text. */
function readItems(result: unknown): JsonObject[] {
	const text = readText(result, 'a result');
	const items = text === '' ? [] : readList(JSON.parse(text), 'the items');
	return items.map((one) => readObject(one, 'an item'));
}

/** Starts n8n on a workspace, with a published workflow for each agent: by ID, with its tools. */
export async function startAgents(
	resources: Resources,
	{ userFolder }: Workspace,
	agents: Record<string, Omit<AgentSetup, 'model'>>,
): Promise<RunningAgents> {
	const model = await resources.use(startChatModel(obey));
	const credential = modelCredential(`${model.url}/v1`, 'not needed');
	const n8n = await resources.use(startN8n(userFolder));
	const client = await signInAsOwner(n8n.url);
	await client.changeCredential(credential);
	await publishNew(
		client,
		Object.entries(agents).map(([id, setup]) =>
			agentWorkflow(id, { ...setup, model: credential.id }),
		),
	);
	const askForItems: RunningAgents['askForItems'] = async (workflow, items) => {
		const prompts = items.map((rounds) => order(...rounds));
		const { data } = await axios.post(`${n8n.url}/webhook/${workflow}`, { prompts });
		return readList(data, 'the answers').map((answer) => {
			const said = readText(readObject(answer, 'an answer').output, 'the words of the agent');
			return readList(JSON.parse(said), 'the results').map(readItems);
		});
	};
	return {
		model,
		url: n8n.url,
		client,
		ask: async (workflow, ...rounds) => (await askForItems(workflow, [rounds]))[0] ?? [],
		askForItems,
	};
}
