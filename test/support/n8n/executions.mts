import axios from 'axios';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readList, readObject, readText } from '../../../tools/files/json.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';

/** The most executions that n8n's public API lists at once. */
const PAGE = 250;

/** n8n's statuses of an execution that has not ended. At the moment of its end, it can still be listed with one. */
const GOING_ON = ['new', 'running', 'waiting'];

/** An execution that has ended, as n8n saved it. */
export interface SavedExecution {
	id: string;
	/** `success`, `error`, `crashed` or `canceled`. */
	status: string;
	/** Everything that n8n returns, with its data. */
	saved: JsonObject;
}

/** Lists the executions of a workflow that have ended, the latest first, through n8n's public API. */
export type ListExecutions = (workflowId: string) => Promise<SavedExecution[]>;

/** @param url - Of n8n's main process. */
export async function executionLister(url: string, client: N8nRestClient): Promise<ListExecutions> {
	const key = await client.createApiKey(['execution:list', 'execution:read']);
	const api = axios.create({ baseURL: `${url}/api/v1`, headers: { 'X-N8N-API-KEY': key } });
	return async (workflowId) => {
		const params = { workflowId, includeData: true, limit: PAGE };
		const { data } = await api.get('/executions', { params });
		return readList(readObject(data, 'the answer').data, 'the executions')
			.map((one) => readObject(one, 'an execution'))
			.map((saved) => ({
				id: String(saved.id),
				status: readText(saved.status, 'the status'),
				saved,
			}))
			.filter(({ status }) => !GOING_ON.includes(status));
	};
}
