/** The records of executions: on the chain, in the logs of the workers, and in n8n's list. */
import { readFile } from 'node:fs/promises';
import { readText } from '../../../tools/files/json.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import type { SavedExecution } from '../../support/n8n/executions.mts';
import type { Service } from '../../support/sandbox/service.mts';
import { WALLET_NODE } from './workflows.mts';

/** Hashes of the transactions that minted gold to a wallet, by amount: the ID of the execution that sent them. */
export async function mintsByExecution(
	{ chain, contracts }: Service,
	recipient: string,
): Promise<Map<string, string[]>> {
	const mints = new Map<string, string[]>();
	for (const { tokenAddress, value, hash } of await chain.transfers(recipient)) {
		if (tokenAddress !== contracts.gold.toLowerCase()) continue;
		mints.set(value, [...(mints.get(value) ?? []), hash]);
	}
	return mints;
}

/** Number of times that workers have started each execution, according to their logs. */
export async function startsByExecution(logFiles: string[]): Promise<Map<string, number>> {
	const starts = new Map<string, number>();
	for (const file of logFiles) {
		const log = await readFile(file, 'utf8');
		for (const [, id = ''] of log.matchAll(/Worker started execution (\d+)/g)) {
			starts.set(id, (starts.get(id) ?? 0) + 1);
		}
	}
	return starts;
}

/** n8n's report on an execution that has ended. */
export interface ExecutionRecord {
	id: string;
	/** `success`, `error`, `crashed` or `canceled`. */
	status: string;
	/** Reason for a failure, as the list of executions shows it. */
	error: string | undefined;
	/** Transaction hash in the wallet node's output item. */
	hash: string | undefined;
}

/** Reads the record of a saved execution of a workflow with a wallet node. */
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
