/** A client of the MCP Server Trigger. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Resources } from '../resources.mts';

/**
 * Opens a session of the public MCP client library.
 *
 * @param url - URL of n8n.
 * @param path - Path of the trigger, which is the ID of an `mcpWorkflow`.
 */
export async function connectClient(resources: Resources, url: string, path: string) {
	const client = new Client({ name: 'wallet-service-tests', version: '0.1.0' });
	await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/${path}`)));
	await resources.use({ [Symbol.asyncDispose]: async () => await client.close() });
	return client;
}
