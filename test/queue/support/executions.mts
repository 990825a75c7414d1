import axios from 'axios';
import { readList, readObject, readText } from '../../../workbench/src/json.mts';
import type { N8nRestClient } from '../../../workbench/src/n8n/rest-client.mts';
import { readWorkflowRun } from '../../../workbench/src/n8n/workflow-run.mts';
import { WALLET_NODE } from './workflows.mts';

/** The most that n8n's public API lists at once. */
const PAGE = 250;

/** What n8n tells of an execution that has ended. */
export interface ExecutionRecord {
	id: string;
	/** `success`, `error`, `crashed` or `canceled`. */
	status: string;
	/** Why it did not succeed, as the list of executions shows it. */
	error: string | undefined;
	/** Transaction hash in the item that the wallet node gave out. */
	hash: string | undefined;
}

function readRecord(value: unknown): ExecutionRecord {
	const execution = readObject(value, 'an execution');
	const run = readWorkflowRun(execution);
	const [item] = run.hasRun(WALLET_NODE) ? run.items(WALLET_NODE) : [];
	return {
		id: String(execution.id),
		status: readText(execution.status, 'the status'),
		error: run.error,
		hash: item?.hash === undefined ? undefined : readText(item.hash, 'the hash'),
	};
}

/** Lists the executions of a workflow that have ended, through n8n's public API. */
export type ListExecutions = (workflowId: string) => Promise<ExecutionRecord[]>;

/** @param url - Of n8n's main process. */
export async function executionLister(url: string, client: N8nRestClient): Promise<ListExecutions> {
	const key = await client.createApiKey(['execution:list', 'execution:read']);
	const api = axios.create({ baseURL: `${url}/api/v1`, headers: { 'X-N8N-API-KEY': key } });
	return async (workflowId) => {
		const params = { workflowId, includeData: true, limit: PAGE };
		const { data } = await api.get('/executions', { params });
		return readList(readObject(data, 'the answer').data, 'the executions').map(readRecord);
	};
}
