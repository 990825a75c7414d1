import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import axios from 'axios';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JsonObject } from '../../../../tools/files/json.mts';
import { readList, readObject, readText } from '../../../../tools/files/json.mts';
import { signInAsOwner } from '../../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../../tools/n8n/server.mts';
import type { Resources } from '../../../support/resources.mts';
import { mcpWorkflow } from './mcp-workflow.mts';
import { publishNew } from '../../../support/n8n/published.mts';
import type { ToolSetup } from '../../../support/n8n/tool-nodes.mts';
import type { Workspace } from '../../../support/n8n/workspace.mts';

/** The result of a tool call. */
export interface ToolAnswer {
	/** Whether the call is marked as failed. */
	failed: boolean;
	/** The unchanged text: a JSON list of items unless the call failed. */
	text: string;
	/** The items of a successful call. */
	items: JsonObject[];
}

/** A session of the public MCP client library with one of n8n's MCP servers. */
export interface McpSession {
	/** Names of the tools that the server offers. */
	tools(): Promise<string[]>;
	call(name: string, given?: Record<string, string | number>): Promise<ToolAnswer>;
}

/** A running n8n whose workflows are MCP servers. */
export interface RunningMcpServers {
	/** File with everything that n8n printed. */
	logFile: string;
	/** Opens a new session with the server of a workflow. */
	connect(workflow: string): Promise<McpSession>;
	/** Calls one tool several times, in one request of a new session; returns the unchanged answers. */
	callTogether(workflow: string, name: string, given: readonly JsonObject[]): Promise<string>;
}

function readAnswer(result: unknown): ToolAnswer {
	const { content, isError } = readObject(result, 'the result');
	const [part] = readList(content, 'the content');
	const text = readText(readObject(part, 'a part').text, 'the text');
	const failed = isError === true;
	const items = failed ? [] : readList(JSON.parse(text), 'the items');
	return { failed, text, items: items.map((one) => readObject(one, 'an item')) };
}

/** Opens a session with the MCP server of a published workflow. @param url - Of n8n. */
export async function openMcpSession(
	resources: Resources,
	url: string,
	workflow: string,
): Promise<McpSession> {
	const client = new Client({ name: 'wallet-service-tests', version: '0.1.0' });
	const address = new URL(`${url}/mcp/${workflow}`);
	await client.connect(new StreamableHTTPClientTransport(address));
	await resources.use({ [Symbol.asyncDispose]: async () => await client.close() });
	return {
		tools: async () => (await client.listTools()).tools.map(({ name }) => name),
		call: async (name, given = {}) => readAnswer(await client.callTool({ name, arguments: given })),
	};
}

/** Not supported by the public library: a request with several messages (a JSON-RPC batch). */
async function postTogether(url: string, calls: readonly object[]): Promise<string> {
	const clientInfo = { name: 'wallet-service-tests', version: '0.1.0' };
	const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo };
	const post = async (body: unknown, session: object = {}) =>
		await axios.post<string>(url, body, {
			headers: { Accept: 'application/json, text/event-stream', ...session },
			responseType: 'text',
		});
	const { headers } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
	const session = { 'Mcp-Session-Id': String(headers['mcp-session-id']) };
	await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
	const { data } = await post(calls, session);
	return data;
}

/** Starts n8n on a workspace, with a published workflow for each MCP server: its tools by ID. */
export async function startMcpServers(
	resources: Resources,
	{ userFolder }: Workspace,
	servers: Record<string, ToolSetup>,
): Promise<RunningMcpServers> {
	const n8n = await resources.use(startN8n(userFolder));
	const owner = await signInAsOwner(n8n.url);
	await publishNew(
		owner,
		Object.entries(servers).map(([id, setup]) => mcpWorkflow(id, setup)),
	);
	return {
		logFile: n8n.logFile,
		connect: async (workflow) => await openMcpSession(resources, n8n.url, workflow),
		callTogether: async (workflow, name, given) =>
			await postTogether(
				`${n8n.url}/mcp/${workflow}`,
				given.map((one, id) => ({
					...{ jsonrpc: '2.0', id: id + 1, method: 'tools/call' },
					params: { name, arguments: one },
				})),
			),
	};
}
