import type { Answer, Executions } from '../../support/n8n/executions.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { until } from '../../support/until.mts';
import { mintsByExecution } from './account.mts';
import type { Cluster } from './cluster.mts';

export interface WebhookAnswer extends Answer {
	workflow: string;
}

/** Requests in flight at the same time. */
const CONNECTIONS = 50;

/** Calls the production webhooks of workflows, many at a time, until every call has been answered. */
async function callWebhooks(executions: Executions, workflows: string[]): Promise<WebhookAnswer[]> {
	const answers: WebhookAnswer[] = [];
	const waiting = workflows.values();
	const call = async (): Promise<void> => {
		for (const workflow of waiting) {
			answers.push({ workflow, ...(await executions.call(workflow, [])) });
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, call));
	return answers;
}

/** Executions that an n8n worker runs at the same time. */
export const EXECUTIONS_PER_WORKER = 10;

/** Duration of a slow answer: far longer than the time between two transactions, and shorter than the node's time-out. */
const SLOW_ANSWER = { bytes: 100, ms: 3_000 };

/**
 * Calls webhooks, and kills one of two workers with SIGKILL while some of its transactions are on the chain and unanswered.
 *
 * @param recipient - Wallet that receives the writes, and nothing else.
 * @param answersBefore - Number of writes to be answered before the kill.
 */
export async function killUnderLoad(
	{ executions, service, workers: [victim] }: Cluster,
	workflows: string[],
	recipient: string,
	answersBefore: number,
): Promise<WebhookAnswer[]> {
	if (victim === undefined) throw new Error('There is no worker');
	// Writes of one credential go out one at a time in each process: one of these two transactions is the victim's.
	const unanswered = 2;
	const slow = { params: SLOW_ANSWER, times: unanswered, skip: answersBefore };
	await service.faults.hit('slow-drip', WRITE, slow);
	let isOver = false;
	const load = callWebhooks(executions, workflows).finally(() => {
		isOver = true;
	});
	await until(async () => {
		const { size: sent } = await mintsByExecution(service, recipient);
		return isOver || sent >= answersBefore + unanswered;
	});
	if (isOver) throw new Error('All calls were answered before a worker could be killed');
	process.kill(victim.pid, 'SIGKILL');
	return await load;
}
