import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { AxiosInstance, AxiosRequestConfig } from 'axios';
import { parse } from 'flatted';
import type { ImportedCredential } from '../sandbox/credentials.mts';
import { readList, readObject, readObjects, readText, type JsonObject } from '../files/json.mts';
import { readWorkflowRun, type WorkflowRun } from './workflow-run.mts';

/** A connection for each request: n8n ends one that is not used for five seconds, maybe when the next request is on its way. */
export const SINGLE = { httpAgent: new Agent() };

const workflowPath = (id: string): string => `/rest/workflows/${encodeURIComponent(id)}`;

/** Whether an execution has neither ended nor waits for a person. */
export const isGoingOn = ({ status }: JsonObject) => status === 'new' || status === 'running';

/** n8n's own REST API, signed in as the owner. */
export class N8nRestClient {
	readonly #http: AxiosInstance;

	constructor(http: AxiosInstance) {
		this.#http = http;
	}

	/** The cookie of the sign-in. */
	get cookie(): string {
		return String(this.#http.defaults.headers.common.Cookie);
	}

	/** Sends a request; returns the `data` of n8n's answer. */
	async #send(config: AxiosRequestConfig): Promise<unknown> {
		const { data } = await this.#http.request(config);
		return readObject(data, `the answer of ${config.url}`).data;
	}

	/** What n8n answers to a GET request. */
	async get(url: string, params?: object): Promise<JsonObject> {
		return readObject(await this.#send({ url, params }), url);
	}

	/** What n8n answers to a POST request. */
	async post(url: string, data: object): Promise<JsonObject> {
		return readObject(await this.#send({ method: 'POST', url, data }), url);
	}

	/** What n8n answers to a GET request for a list. */
	async list(url: string, params?: object): Promise<JsonObject[]> {
		return readObjects(await this.#send({ url, params }), url);
	}

	/** Path of the owner's own project. */
	async projectPath(): Promise<string> {
		const { id } = await this.get('/rest/projects/personal');
		return `/rest/projects/${readText(id, 'the project ID')}`;
	}

	/** Creates a workflow as the editor does, and returns its ID, which n8n chooses if the workflow has none. */
	async createWorkflow(workflow: object): Promise<string> {
		return readText((await this.post('/rest/workflows', workflow)).id, 'the workflow ID');
	}

	/** Publishes a workflow: from then on its triggers and webhooks are live. */
	async activateWorkflow(id: string): Promise<void> {
		const { versionId } = await this.get(workflowPath(id));
		await this.#http.post(`${workflowPath(id)}/activate`, { versionId });
	}

	/**
	 * The progress of publishing a workflow, whose triggers start after the request has been answered: `in_progress`,
	 * `published`, `partial`, `failed` or `not_published`, and the error of each trigger, empty if the trigger started.
	 */
	async publication(id: string): Promise<{ status: string; errors: string[] }> {
		const { status, triggers } = await this.get(`${workflowPath(id)}/publication-status`);
		const errors = readObjects(triggers, 'the triggers').map((it) => String(it.errorMessage ?? ''));
		return { status: readText(status, 'the status'), errors };
	}

	/** The description of version 1 of a node type, as n8n has loaded it. */
	async nodeDescription(name: string): Promise<JsonObject> {
		// Not `/types/nodes.json`: n8n rewrites that file in place, so it can be read half-written.
		const data = { nodeInfos: [{ name, version: 1 }] };
		const types = await this.#send({ method: 'POST', url: '/rest/node-types', data });
		return readObject(readList(types, 'the node types')[0], name);
	}

	/**
	 * Names and values in the Token list, as the form of a node loads it, with or without a `walletServiceApi` credential.
	 *
	 * @param type - Node type, without the name of the package.
	 * @throws Error with n8n's message if there is no list.
	 */
	async listTokens(type: string, parameters: object, credentialId?: string): Promise<string[][]> {
		const credential = credentialId && { walletServiceApi: { id: credentialId, name: 'Any' } };
		const { data, status } = await this.#http.post(
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				path: 'parameters.token',
				methodName: 'getTokens',
				nodeTypeAndVersion: { name: `n8n-nodes-wallet-service.${type}`, version: 1 },
				currentNodeParameters: { authentication: 'accessToken', ...parameters },
				...(credential && { credentials: credential }),
			},
			{ validateStatus: () => true },
		);
		const answer = readObject(data, 'the answer');
		if (status !== 200) throw new Error(readText(answer.message, 'the message'));
		const { results } = readObject(answer.data, 'the list');
		return readObjects(results, 'the tokens').map(({ name, value }) =>
			[name, value].map((text) => readText(text, 'name and value')),
		);
	}

	/** Starts a workflow from the named trigger, as the trigger's button in the editor does. Returns the execution ID. */
	async runWorkflow(id: string, trigger: string): Promise<string> {
		const start = { triggerToStartFrom: { name: trigger } };
		const { executionId } = await this.post(`${workflowPath(id)}/run`, start);
		return readText(executionId, 'the execution ID');
	}

	/** Runs a workflow as {@link runWorkflow} does, to its end. @throws Error if it does not succeed. */
	async execute(id: string, trigger = 'Run It Now'): Promise<WorkflowRun> {
		const path = `/rest/executions/${await this.runWorkflow(id, trigger)}`;
		let execution = await this.get(path);
		for (; isGoingOn(execution); execution = await this.get(path)) await setTimeout(100);
		const run = readWorkflowRun({ data: parse(readText(execution.data, 'the run data')) });
		if (execution.status === 'success') return run;
		throw new Error(`The workflow ${id} ended as ${String(execution.status)}: ${run.error}`);
	}

	/** Saves a credential as its form does. */
	async changeCredential({ id, ...changed }: ImportedCredential): Promise<void> {
		await this.#send({ method: 'PATCH', url: `/rest/credentials/${id}`, data: changed });
	}

	/** The text of a file in an item's binary data. */
	async binaryData(id: string): Promise<string> {
		const params = { id, action: 'download' };
		const { data } = await this.#http.get('/rest/binary-data', { params, responseType: 'text' });
		return readText(data, 'the file');
	}

	/** Starts a new chat with a built-in agent, and returns all events until its answer is complete. */
	async chatWithAgent(id: string, message: string): Promise<JsonObject[]> {
		const path = `${await this.projectPath()}/agents/v2/${encodeURIComponent(id)}/chat`;
		const { data } = await this.#http.post(path, { message }, { responseType: 'text' });
		const lines = readText(data, 'the server-sent events').split('\n');
		const events = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
		return events.map((event) => readObject(JSON.parse(event), 'an event'));
	}

	async #tablePath(name: string): Promise<string> {
		const path = `${await this.projectPath()}/data-tables`;
		const { data } = await this.get(path);
		const table = readObjects(data, path).find((one) => one.name === name);
		return `${path}/${readText(table?.id, `the ID of the table ${name}`)}`;
	}

	/** Creates a data table whose columns all hold text, with its first rows, unless a table with that name exists. */
	async createDataTable(name: string, columns: string[], rows: JsonObject[]): Promise<void> {
		const { status } = await this.#http.post(
			`${await this.projectPath()}/data-tables`,
			{ name, columns: columns.map((column) => ({ name: column, type: 'string' })) },
			{ validateStatus: (code) => code === 200 || code === 409 },
		);
		if (status !== 409) await this.addDataTableRows(name, rows);
	}

	async addDataTableRows(name: string, rows: JsonObject[]): Promise<void> {
		const insertion = { data: rows, returnType: 'count' };
		await this.#http.post(`${await this.#tablePath(name)}/insert`, insertion);
	}

	/** Changes columns of the row whose `id` column has this number. */
	async changeDataTableRow(name: string, id: number, columns: JsonObject): Promise<void> {
		const filters = [{ columnName: 'id', condition: 'eq', value: id }];
		const change = { filter: { type: 'and', filters }, data: columns };
		await this.#http.patch(`${await this.#tablePath(name)}/rows`, change);
	}

	/** All rows of a data table, oldest first. */
	async dataTableRows(name: string): Promise<JsonObject[]> {
		const { data } = await this.get(`${await this.#tablePath(name)}/rows`);
		return readObjects(data, 'the rows');
	}
}
