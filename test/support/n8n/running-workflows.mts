import axios from 'axios';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readList, readObject } from '../../../tools/files/json.mts';
import { signInAsOwner } from '../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import type { ChainedNode } from './chained-workflow.mts';
import { chainedWorkflow } from './chained-workflow.mts';
import type { Resources } from '../resources.mts';
import type { EditorSession } from './editor-session.mts';
import { openEditor } from './editor-session.mts';
import type { ListExecutions } from './executions.mts';
import { executionLister } from './executions.mts';
import { publishNew } from './published.mts';

/** The answer of a webhook. */
export interface Answer {
	status: number;
	/** The output of the last node; empty unless the execution succeeded. */
	items: JsonObject[];
}

/** A running n8n whose workflows can be called. */
export interface RunningWorkflows {
	/** File with everything that n8n printed. */
	logFile: string;
	editor: EditorSession;
	executions: ListExecutions;
	/** Calls the webhook that a workflow begins with. */
	call(workflow: string, items: JsonObject[]): Promise<Answer>;
}

/** Nodes in a row; or those, and the settings of their workflow. */
export type Workflow = ChainedNode[] | { nodes: ChainedNode[]; settings: object };

/**
 * Posts items to the webhook of a workflow.
 *
 * @param url - Of n8n.
 */
export async function callWebhook(url: string, path: string, items: JsonObject[]): Promise<Answer> {
	const options = { validateStatus: () => true };
	const { status, data } = await axios.post(`${url}/webhook/${path}`, { items }, options);
	const given = status === 200 && Array.isArray(data) ? readList(data, 'the items') : [];
	return { status, items: given.map((item) => readObject(item, 'an item')) };
}

/**
 * Starts n8n on a folder, with these workflows published.
 *
 * @param workflows - By ID; one called by others must precede them.
 */
export async function startWorkflows(
	resources: Resources,
	userFolder: string,
	workflows: Record<string, Workflow>,
): Promise<RunningWorkflows> {
	const created = Object.entries(workflows).map(([id, workflow]) => {
		const { nodes, settings } = Array.isArray(workflow)
			? { nodes: workflow, settings: {} }
			: workflow;
		return chainedWorkflow(id, nodes, settings);
	});
	const n8n = await resources.use(startN8n(userFolder));
	const client = await signInAsOwner(n8n.url);
	await publishNew(client, created);
	return {
		logFile: n8n.logFile,
		editor: await openEditor(n8n.url),
		executions: await executionLister(n8n.url, client),
		call: async (workflow, items) => await callWebhook(n8n.url, workflow, items),
	};
}
