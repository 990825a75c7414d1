import axios from 'axios';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readObject, readText } from '../../../tools/files/json.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import type { WorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { until } from '../until.mts';

/** Runs workflows in a running n8n as its editor does, and answers the forms that they wait for. */
export class ExampleRuns {
	readonly #url: string;
	readonly #client: N8nRestClient;
	readonly #key: string;

	private constructor(url: string, client: N8nRestClient, key: string) {
		this.#url = url;
		this.#client = client;
		this.#key = key;
	}

	/** @param url - Of n8n. */
	static async prepare(url: string, client: N8nRestClient): Promise<ExampleRuns> {
		return new ExampleRuns(url, client, await client.createApiKey(['execution:read']));
	}

	/** An execution with its data, as n8n's public API returns it. */
	async read(execution: string): Promise<JsonObject> {
		const { data } = await axios.get(`${this.#url}/api/v1/executions/${execution}`, {
			params: { includeData: true },
			headers: { 'X-N8N-API-KEY': this.#key },
		});
		return readObject(data, 'the execution');
	}

	/** Starts a workflow; resolves to its execution when that has ended, or waits for somebody. */
	async start(workflow: string, trigger = 'Run It Now'): Promise<string> {
		const execution = await this.#client.runWorkflow(workflow, trigger);
		await this.#untilIdle(execution);
		return execution;
	}

	/** Runs a workflow to its end. @throws Error when it does not succeed. */
	async run(workflow: string, trigger?: string): Promise<WorkflowRun> {
		const execution = await this.read(await this.start(workflow, trigger));
		const run = readWorkflowRun(execution);
		if (execution.status === 'success') return run;
		throw new Error(`The execution ended as ${String(execution.status)}: ${run.error}`);
	}

	/**
	 * Answers the form that an execution waits for, by its first field.
	 *
	 * @param times - How often, at the same moment.
	 * @returns the page with the form.
	 * @throws Error when the execution waits for nobody.
	 */
	async answer(execution: string, choice: string, times = 1): Promise<string> {
		const { data, status } = await this.read(execution);
		if (status !== 'waiting') throw new Error(`The execution is ${String(status)}`);
		const { resumeToken } = readObject(data, 'the data');
		const url = `${this.#url}/form-waiting/${execution}?signature=${String(resumeToken)}`;
		const { data: page } = await axios.get<string>(url);
		const form = new FormData();
		form.set('field-0', choice);
		// Of several answers, n8n takes the first one.
		const validateStatus = (status: number) => times > 1 || status === 200;
		const send = async () => await axios.post(url, form, { validateStatus });
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
		const goesOn = ['new', 'running'];
		await until(async () => !goesOn.includes(String((await this.read(execution)).status)));
	}
}
