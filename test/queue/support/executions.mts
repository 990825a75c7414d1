import { readText } from '../../../tools/files/json.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import type { SavedExecution } from '../../support/n8n/executions.mts';
import { WALLET_NODE } from './workflows.mts';

/** n8n's report on an execution that has ended. */
export interface ExecutionRecord {
	id: string;
	/** `success`, `error`, `crashed` or `canceled`. */
	status: string;
	/** Why it did not succeed, as the list of executions shows it. */
	error: string | undefined;
	/** Transaction hash in the wallet node's output item. */
	hash: string | undefined;
}

/** The facts about a saved execution of a workflow with a wallet node. */
export function readRecord({ id, status, saved }: SavedExecution): ExecutionRecord {
	const run = readWorkflowRun(saved);
	const [item] = run.hasRun(WALLET_NODE) ? run.items(WALLET_NODE) : [];
	return {
		id,
		status,
		error: run.error,
		hash: item?.hash === undefined ? undefined : readText(item.hash, 'the hash'),
	};
}
