import { randomUUID } from 'node:crypto';
import axios, { type AxiosInstance, type CreateAxiosDefaults } from 'axios';
import { readObject, readObjects, readText, type JsonObject } from '../../../tools/files/json.mts';
import { isGoingOn, SINGLE, type N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { until } from '../until.mts';

/** Maximum number of executions that n8n's public API lists at once. */
const PAGE = 250;

/** Statuses of an execution that has not ended; n8n may still list one for a moment after the end. */
const GOING_ON = ['new', 'running', 'waiting'];

/** An execution that has ended, as n8n saved it. */
export interface SavedExecution {
	id: string;
	/** `success`, `error`, `crashed` or `canceled`. */
	status: string;
	/** n8n's complete answer, with the run data. */
	saved: JsonObject;
}

/** The answer of a webhook. */
export interface Answer {
	status: number;
	/** The output of the last node; empty unless the execution succeeded. */
	items: JsonObject[];
}

/** Starts, reads and stops the executions of a running n8n, and answers the forms that they wait for. */
export class Executions {
	/** Webhooks and forms. */
	readonly #web: AxiosInstance;
	readonly #client: N8nRestClient;
	/** n8n's public API. */
	readonly #api: AxiosInstance;
	/** The API behind the list of executions in n8n's editor. */
	readonly #editor: AxiosInstance;

	private constructor(url: string, client: N8nRestClient, key: string) {
		this.#client = client;
		const headers = { 'X-N8N-API-KEY': key };
		const create = (settings: CreateAxiosDefaults) => axios.create({ ...SINGLE, ...settings });
		this.#web = create({ baseURL: url });
		this.#api = create({ baseURL: `${url}/api/v1/executions`, headers });
		this.#editor = create({
			baseURL: `${url}/rest/executions`,
			headers: { Cookie: client.cookie },
		});
	}

	/** @param url - URL of n8n's main process, where the owner must already be set up. */
	static async of(url: string, client: N8nRestClient): Promise<Executions> {
		// n8n refuses a label that the owner already uses.
		const label = `Tests ${randomUUID()}`;
		const scopes = ['execution:list', 'execution:read'];
		const { rawApiKey } = await client.post('/rest/api-keys', { label, scopes, expiresAt: null });
		const key = readText(rawApiKey, 'the key');
		return new Executions(url, client, key);
	}

	/** Posts items to the webhook of a workflow. */
	async call(workflow: string, items: JsonObject[]): Promise<Answer> {
		const options = { validateStatus: () => true };
		const { status, data } = await this.#web.post(`/webhook/${workflow}`, { items }, options);
		const isList = status === 200 && Array.isArray(data);
		return { status, items: isList ? readObjects(data, 'the items') : [] };
	}

	/** The executions of a workflow that have ended, latest first. */
	async ended(workflowId: string): Promise<SavedExecution[]> {
		const params = { workflowId, includeData: true, limit: PAGE };
		const { data } = await this.#api.get('', { params });
		return readObjects(readObject(data, 'the answer').data, 'the executions')
			.map((saved) => ({
				id: String(saved.id),
				status: readText(saved.status, 'the status'),
				saved,
			}))
			.filter(({ status }) => !GOING_ON.includes(status));
	}

	/** The error of a workflow's latest execution. */
	async lastError(workflow: string): Promise<JsonObject> {
		const latest = async () => (await this.ended(workflow))[0];
		// n8n answers before it has recorded that an execution has ended.
		await until(async () => (await latest())?.status === 'error');
		const data = readObject((await latest())?.saved.data, 'the data');
		return readObject(readObject(data.resultData, 'the result').error, 'the error');
	}

	/** IDs of the executions of a workflow that have not ended, latest first. */
	async underWay(workflow: string): Promise<string[]> {
		const filter = JSON.stringify({ workflowId: workflow });
		const { data } = await this.#editor.get('', { params: { filter } });
		const { results } = readObject(readObject(data, 'the answer').data, 'the executions');
		return readObjects(results, 'the executions')
			.filter(({ status }) => GOING_ON.includes(String(status)))
			.map(({ id }) => String(id));
	}

	/** Stops an execution as the editor's button does. */
	async stop(execution: string): Promise<void> {
		await this.#editor.post(`/${execution}/stop`);
	}

	/** Retries a failed execution as the button in the editor's list does, to its end. */
	async retry(execution: string): Promise<SavedExecution> {
		const { data } = await this.#editor.post(`/${execution}/retry`, { loadWorkflow: false });
		const id = String(readObject(readObject(data, 'the answer').data, 'the execution').id);
		await this.#untilIdle(id);
		const saved = await this.read(id);
		return { id, status: readText(saved.status, 'the status'), saved };
	}

	async read(execution: string): Promise<JsonObject> {
		const { data } = await this.#api.get(`/${execution}`, { params: { includeData: true } });
		return readObject(data, 'the execution');
	}

	/** Starts a workflow as the editor does; returns the ID of the execution once it has ended or waits for a person. */
	async start(workflow: string, trigger = 'Run It Now'): Promise<string> {
		const execution = await this.#client.runWorkflow(workflow, trigger);
		await this.#untilIdle(execution);
		return execution;
	}

	/** The form that an execution waits for, as a path in n8n. */
	async form(execution: string): Promise<string> {
		const { data, status } = await this.read(execution);
		if (status !== 'waiting') throw new Error(`The execution is ${String(status)}`);
		const { resumeToken } = readObject(data, 'the data');
		return `/form-waiting/${execution}?signature=${String(resumeToken)}`;
	}

	/** Answers the first field of the form that an execution waits for, this many times at once. @returns the page */
	async answer(execution: string, choice: string, times = 1): Promise<string> {
		const url = await this.form(execution);
		const { data: page } = await this.#web.get<string>(url);
		const form = new FormData();
		form.set('field-0', choice);
		// n8n accepts only the first of several answers.
		const validateStatus = (status: number) => times > 1 || status === 200;
		const send = async () => await this.#web.post(url, form, { validateStatus });
		await Promise.all(Array.from({ length: times }, send));
		await until(async () => (await this.read(execution)).status !== 'waiting');
		await this.#untilIdle(execution);
		return page;
	}

	/** The file in a node's only output item. */
	async file(execution: string, node: string): Promise<{ name: string; text: string }> {
		const { data } = await this.read(execution);
		const { runData } = readObject(readObject(data, 'the data').resultData, 'the result');
		const output = JSON.stringify(readObject(runData, 'the runs')[node] ?? '');
		const [, binary = '{}'] = /"binary":\{"data":(\{[^}]*\})/.exec(output) ?? [];
		const { id, fileName } = readObject(JSON.parse(binary), 'the file');
		const text = await this.#client.binaryData(readText(id, 'the id of the file'));
		return { name: readText(fileName, 'the name of the file'), text };
	}

	async #untilIdle(execution: string): Promise<void> {
		await until(async () => !isGoingOn(await this.read(execution)));
	}
}
