/** Everything in n8n that offers tools to a model, with a stand-in for the model. */
import axios from 'axios';
import { readList, readObject, readText, type JsonObject } from '../../../../tools/files/json.mts';
import type { ChatModel, ToolCall } from '../../../../tools/model/chat-model.mts';
import { startChatModel } from '../../../../tools/model/chat-model.mts';
import { modelCredential, READ_ONLY_CREDENTIAL } from '../../../../tools/sandbox/credentials.mts';
import { connectClient } from '../../../support/n8n/mcp-client.mts';
import { RETRY_ON_FAIL } from '../../../support/n8n/minting.mts';
import { publishNew } from '../../../support/n8n/published.mts';
import {
	agentWorkflow,
	createBuiltInAgent,
	mcpWorkflow,
	obey,
	order,
} from '../../../support/n8n/tools-of-models.mts';
import { EXPIRED, KEPT, LIMITED, n8n } from '../../support/shared-n8n.mts';
import { agentTools } from './agent-tools.mts';

/** AI Agent 2.2 runs tools by n8n's routing; a built-in agent makes a node with a new ID for each call and has no execution. */
export const HOSTS = [
	...(['AI Agent 3.1', 'AI Agent 2.2', 'MCP Server Trigger', 'built-in agent'] as const),
];
type Host = (typeof HOSTS)[number];

/** The result of a tool call as the model receives it. */
export interface Outcome {
	/** Everything that the model reads about a failure; empty if the call succeeded. */
	error: string;
	items: JsonObject[];
}

/** The credential of all tools of a set, and the settings of their nodes. */
interface ToolSet {
	credential: string;
	toolSettings?: JsonObject;
}

const itemsOf = (list: unknown): JsonObject[] =>
	readList(list, 'the items').map((one) => readObject(one, 'an item'));

/** Reads a result from an agent's answer; a failed tool of an older agent returns empty text. */
function outcomeOfAgent(result: unknown): Outcome {
	const text = readText(result, 'a result');
	const items = text === '' ? [] : itemsOf(JSON.parse(text));
	const isFailed = items.some((item) => 'error' in item);
	return isFailed ? { error: text.replaceAll('\\"', '"'), items: [] } : { error: '', items };
}

function outcomeOfMcp(result: unknown): Outcome {
	const { content, isError } = readObject(result, 'the result');
	const [part] = itemsOf(content);
	const text = readText(part?.text, 'the text');
	return isError === true
		? { error: text, items: [] }
		: { error: '', items: itemsOf(JSON.parse(text)) };
}

function outcomeOfBuiltIn({ output, isError }: JsonObject): Outcome {
	if (isError === true) return { error: readText(output, 'the error'), items: [] };
	const items = itemsOf(readObject(output, 'the output').data);
	return { error: '', items: items.map(({ json }) => readObject(json, 'json')) };
}

const GO_ON = { onError: 'continueRegularOutput' };

/** Sets of tools, by name; each is offered through every host. */
const SETS: Record<string, ToolSet> = {
	plain: { credential: 'sandboxUser0001' },
	readOnly: { credential: READ_ONLY_CREDENTIAL },
	expired: { credential: EXPIRED },
	limited: { credential: LIMITED },
	retrying: { credential: 'sandboxUser0001', toolSettings: RETRY_ON_FAIL },
	goingOn: { credential: 'sandboxUser0001', toolSettings: GO_ON },
	kept: { credential: KEPT },
	keptRetry: { credential: KEPT, toolSettings: RETRY_ON_FAIL },
};

const builtIn = new Map<string, string>();
let model: ChatModel;

beforeAll(async () => {
	model = await n8n.resources.use(startChatModel(obey));
	const credential = modelCredential(`${model.url}/v1`, 'not needed');
	await n8n.client.changeCredential(credential);
	const tools = agentTools(n8n.contracts);
	const ofAgent = { tools, model: credential.id, batchSize: 2 };
	const offer = async ([name, set]: readonly [string, ToolSet]): Promise<void> => {
		await publishNew(n8n.client, [
			agentWorkflow(`${name}31`, { ...ofAgent, ...set }),
			// Otherwise an older agent hides errors from its model.
			agentWorkflow(`${name}22`, { ...ofAgent, agentVersion: 2.2, toolSettings: GO_ON, ...set }),
			mcpWorkflow(`${name}Mcp`, { tools, ...set }),
		]);
		const id = await createBuiltInAgent(n8n.client, name, { ...ofAgent, ...set });
		builtIn.set(name, id);
	};
	await Promise.all(Object.entries(SETS).map(offer));
});

/** Passes several items to an agent in one execution, each with its own rounds of calls. */
export async function askForItems(workflow: string, items: ToolCall[][][]): Promise<Outcome[][]> {
	const prompts = items.map((rounds) => order(...rounds));
	const { data } = await axios.post(`${n8n.url}/webhook/${workflow}`, { prompts });
	return itemsOf(data).map(({ output }) => {
		const said = readText(output, 'the words of the agent');
		return readList(JSON.parse(said), 'the results').map(outcomeOfAgent);
	});
}

/** Opens a session of an MCP client with the tools of a set. */
export const openSession = async (set: string) =>
	await connectClient(n8n.resources, n8n.url, `${set}Mcp`);

async function askMcp(set: string, rounds: ToolCall[][]): Promise<Outcome[]> {
	const client = await openSession(set);
	const outcomes: Outcome[] = [];
	for (const round of rounds) {
		const calls = round.map(async (call) => outcomeOfMcp(await client.callTool({ ...call })));
		outcomes.push(...(await Promise.all(calls)));
	}
	return outcomes;
}

async function askBuiltIn(set: string, rounds: ToolCall[][]): Promise<Outcome[]> {
	const events = await n8n.client.chatWithAgent(builtIn.get(set) ?? '', order(...rounds));
	const failure = events.find(({ type }) => type === 'error');
	if (failure !== undefined) throw new Error(`The agent failed: ${String(failure.message)}`);
	return events.filter(({ type }) => type === 'tool-result').map(outcomeOfBuiltIn);
}

/** Makes the model of a host call tools of a set in a new conversation, round by round. */
export async function ask(host: Host, set: string, ...rounds: ToolCall[][]): Promise<Outcome[]> {
	if (host === 'MCP Server Trigger') return await askMcp(set, rounds);
	if (host === 'built-in agent') return await askBuiltIn(set, rounds);
	const [outcomes] = await askForItems(`${set}${host === 'AI Agent 3.1' ? 31 : 22}`, [rounds]);
	return outcomes ?? [];
}

/** The tools offered in the latest request to the model. */
export const offered = () => model.turns.at(-1)?.tools ?? [];
