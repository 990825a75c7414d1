import { randomUUID } from 'node:crypto';
import type { AxiosInstance } from 'axios';
import axios from 'axios';
import type { JsonObject } from '../files/json.mts';
import { readList, readObject, readText } from '../files/json.mts';
import type { DataTables } from './data-tables.mts';
import { dataTables } from './data-tables.mts';

/** Login of the owner that is created in a fresh n8n folder. It opens nothing but the n8n on this machine. */
export const OWNER = {
	email: 'owner@wallet-service.example',
	password: 'Sandbox-wallet-1',
	firstName: 'Sandbox',
	lastName: 'Owner',
};

/** How far the publishing of a workflow has come. */
export interface Publication {
	/** `in_progress`, `published`, `partial`, `failed` or `not_published`. */
	status: string;
	/** For each trigger why it could not be started; empty when it could. */
	errors: string[];
}

/** n8n's own REST API, signed in as the owner. */
export interface N8nRestClient extends DataTables {
	/**
	 * Creates a workflow, as saving it in the editor does.
	 *
	 * @returns its id, which n8n chooses.
	 */
	createWorkflow(workflow: object): Promise<string>;
	/** Names of all workflows in the order in which the editor lists them: the one that was changed last comes first. */
	workflowNames(): Promise<string[]>;
	/** Publishes a workflow: from then on its triggers and webhooks are live. */
	activateWorkflow(id: string): Promise<void>;
	/** How the executions of a workflow went, the latest first. */
	executionStatuses(workflowId: string): Promise<string[]>;
	/** What became of publishing a workflow: its triggers are started after the request has been answered. */
	publication(id: string): Promise<Publication>;
	/** The description of a node type in its version 1, as n8n has loaded it. */
	nodeDescription(name: string): Promise<JsonObject>;
	/**
	 * Names and values in the list of Token, as the form of a node loads it.
	 *
	 * @param type - Of the node, without the name of the package.
	 * @param credentialId - Of a `walletServiceApi` credential; none unless given.
	 * @throws Error with n8n's own message in place of a list.
	 */
	listTokens(type: string, parameters: object, credentialId?: string): Promise<string[][]>;
	/** The time zone of workflows that have none themselves. */
	timeZone(): Promise<string>;
	/** Names of the packages that "Settings > Community nodes" lists. */
	communityPackages(): Promise<string[]>;
	/**
	 * Creates a key for n8n's public API, `/api/v1`, sent there as the header `X-N8N-API-KEY`.
	 *
	 * @param scopes - What it allows, for example `execution:list`.
	 */
	createApiKey(scopes: string[]): Promise<string>;
	/**
	 * Creates one of n8n's built-in agents, which work without a workflow.
	 *
	 * @param config - As its JSON is shown in the editor, without its name.
	 * @returns its id, which n8n chooses.
	 */
	createAgent(name: string, config: object): Promise<string>;
	/**
	 * Executes a workflow as its button in the editor does.
	 *
	 * @param trigger - Name of the trigger to start from.
	 * @returns the id of the execution, which goes on.
	 */
	runWorkflow(id: string, trigger: string): Promise<string>;
	/** The credentials that the editor offers, each with its `type` and `updatedAt`. */
	credentials(): Promise<JsonObject[]>;
	/** The text of a file that a node gave out. @param id - Of the item's binary data. */
	binaryData(id: string): Promise<string>;
	/** Begins a new chat with a built-in agent, and gives everything that happens until its answer is complete. */
	chatWithAgent(id: string, message: string): Promise<JsonObject[]>;
}

async function signIn(http: AxiosInstance): Promise<string> {
	const { data } = await http.get('/rest/settings');
	const settings = readObject(readObject(data, 'the settings answer').data, 'the settings');
	const { showSetupOnFirstLoad } = readObject(settings.userManagement, 'the user settings');
	const { headers } = showSetupOnFirstLoad
		? await http.post('/rest/owner/setup', OWNER)
		: await http.post('/rest/login', {
				emailOrLdapLoginId: OWNER.email,
				password: OWNER.password,
			});
	const [cookie] = headers['set-cookie'] ?? [];
	if (cookie === undefined) throw new Error('n8n did not sign the owner in');
	return cookie;
}

/** The values in a stream of server-sent events. */
function readEvents(stream: unknown): JsonObject[] {
	const lines = readText(stream, 'the stream').split('\n');
	const values = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
	return values.map((value) => readObject(JSON.parse(value), 'an event'));
}

/** Signs in as the owner, who is created first when n8n has none yet. */
export async function signInAsOwner(url: string): Promise<N8nRestClient> {
	const http = axios.create({ baseURL: url });
	http.defaults.headers.common.Cookie = await signIn(http);
	const projectPath = async () => {
		const { data } = await http.get('/rest/projects/personal');
		const { id } = readObject(readObject(data, 'the answer').data, 'the project');
		return `/rest/projects/${readText(id, 'the id of the project')}`;
	};
	const agentsPath = async () => `${await projectPath()}/agents/v2`;
	return {
		...dataTables(http, projectPath),
		async createWorkflow(workflow) {
			const { data } = await http.post('/rest/workflows', workflow);
			const { id } = readObject(readObject(data, 'the answer').data, 'the workflow');
			return readText(id, 'the id of the workflow');
		},
		async workflowNames() {
			const { data } = await http.get('/rest/workflows', { params: { sortBy: 'updatedAt:desc' } });
			const workflows = readList(readObject(data, 'the answer').data, 'the workflows');
			return workflows.map((one) => readText(readObject(one, 'a workflow').name, 'its name'));
		},
		async activateWorkflow(id) {
			const path = `/rest/workflows/${encodeURIComponent(id)}`;
			const { data } = await http.get(path);
			const workflow = readObject(readObject(data, 'the answer').data, 'the workflow');
			const versionId = readText(workflow.versionId, 'the version of the workflow');
			await http.post(`${path}/activate`, { versionId });
		},
		async executionStatuses(workflowId) {
			const filter = JSON.stringify({ workflowId });
			const { data } = await http.get('/rest/executions', { params: { filter, limit: 100 } });
			const { results } = readObject(readObject(data, 'the answer').data, 'the executions');
			return readList(results, 'the executions').map((one) =>
				readText(readObject(one, 'an execution').status, 'the status'),
			);
		},
		async publication(id) {
			const path = `/rest/workflows/${encodeURIComponent(id)}/publication-status`;
			const { data } = await http.get(path);
			const publication = readObject(readObject(data, 'the answer').data, 'the publication');
			const triggers = readList(publication.triggers, 'the triggers');
			return {
				status: readText(publication.status, 'the status'),
				errors: triggers.map((one) => String(readObject(one, 'a trigger').errorMessage ?? '')),
			};
		},
		async nodeDescription(name) {
			// Not `/types/nodes.json`, a file that n8n writes anew in place: it can be read half-written.
			const nodeInfos = [{ name, version: 1 }];
			const { data } = await http.post('/rest/node-types', { nodeInfos });
			const [type] = readList(readObject(data, 'the answer').data, 'the node types');
			return readObject(type, name);
		},
		async listTokens(type, parameters, credentialId) {
			const credential = credentialId && { id: credentialId, name: 'Any' };
			const { data, status } = await http.post(
				'/rest/dynamic-node-parameters/resource-locator-results',
				{
					path: 'parameters.token',
					methodName: 'getTokens',
					nodeTypeAndVersion: { name: `n8n-nodes-wallet-service.${type}`, version: 1 },
					currentNodeParameters: { authentication: 'accessToken', ...parameters },
					...(credential && { credentials: { walletServiceApi: credential } }),
				},
				{ validateStatus: () => true },
			);
			const answer = readObject(data, 'the answer');
			if (status !== 200) throw new Error(readText(answer.message, 'the message'));
			const { results } = readObject(answer.data, 'the list');
			return readList(results, 'the tokens').map((one) => {
				const { name, value } = readObject(one, 'a token');
				return [readText(name, 'its name'), readText(value, 'its value')];
			});
		},
		async timeZone() {
			const { data } = await http.get('/rest/settings');
			const { timezone } = readObject(readObject(data, 'the answer').data, 'the settings');
			return readText(timezone, 'the time zone');
		},
		async communityPackages() {
			const { data } = await http.get('/rest/community-packages');
			const packages = readList(readObject(data, 'the answer').data, 'the packages');
			return packages.map((one) => {
				const { packageName } = readObject(one, 'a package');
				return readText(packageName, 'the package name');
			});
		},
		async createApiKey(scopes) {
			// No two keys of a person have the same label.
			const key = { label: `Automation ${randomUUID()}`, scopes, expiresAt: null };
			const { data } = await http.post('/rest/api-keys', key);
			const { rawApiKey } = readObject(readObject(data, 'the answer').data, 'the key');
			return readText(rawApiKey, 'the key');
		},
		async runWorkflow(id, trigger) {
			const path = `/rest/workflows/${encodeURIComponent(id)}/run`;
			const { data } = await http.post(path, { triggerToStartFrom: { name: trigger } });
			const { executionId } = readObject(readObject(data, 'the answer').data, 'the execution');
			return readText(executionId, 'the id of the execution');
		},
		async credentials() {
			const { data } = await http.get('/rest/credentials');
			const credentials = readList(readObject(data, 'the answer').data, 'the credentials');
			return credentials.map((one) => readObject(one, 'a credential'));
		},
		async binaryData(id) {
			const params = { id, action: 'download' };
			const { data } = await http.get('/rest/binary-data', { params, responseType: 'text' });
			return readText(data, 'the file');
		},
		async createAgent(name, config) {
			const agent = { name, schema: { ...config, name } };
			const { data } = await http.post(await agentsPath(), agent);
			const { id } = readObject(readObject(data, 'the answer').data, 'the agent');
			return readText(id, 'the id of the agent');
		},
		async chatWithAgent(id, message) {
			const path = `${await agentsPath()}/${encodeURIComponent(id)}/chat`;
			return readEvents((await http.post(path, { message }, { responseType: 'text' })).data);
		},
	};
}
