/**
 * What `docs/production.md` warns of: n8n 1.x runs the executions of a dead worker again, unless it is told not to. Locks are short
 * here, so that n8n finds out quickly.
 */
import { Wallet } from 'ethers';
import { signInAsOwner } from '../../tools/n8n/rest-client.mts';
import { Resources } from '../support/resources.mts';
import { PREPARATION_TIME } from '../support/n8n/workspace.mts';
import { installN8n } from '../support/n8n/install-n8n.mts';
import { mintsByExecution } from './support/account.mts';
import { startCluster } from './support/cluster.mts';
import { killUnderLoad } from './support/kill-worker.mts';
import type { WebhookAnswer } from './support/load.mts';
import { WRITES, queueWorkflows } from './support/workflows.mts';

const VERSION = '1.85.3';
const CALLS = 50;
const ANSWERS_BEFORE_KILL = 10;
/** Milliseconds. */
const QUICK = {
	QUEUE_WORKER_LOCK_DURATION: '5000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '1000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
};

/** What came of writes, some of which were under way on a worker that was killed. */
interface Outcome {
	answers: WebhookAnswer[];
	/** Hashes of the transactions on the chain, for each execution that sent any. */
	transactions: string[][];
}

async function outcomeWith(settings: Record<string, string>): Promise<Outcome> {
	await using resources = new Resources();
	const recipient = Wallet.createRandom().address;
	const cluster = await startCluster(
		resources,
		{ EXECUTIONS_MODE: 'queue', ...QUICK, ...settings },
		2,
		(sandbox) => queueWorkflows(sandbox, recipient),
		await installN8n(VERSION),
	);
	const client = await signInAsOwner(cluster.main.url);
	// What n8n 1.x imports has no version that it could activate.
	const [, writes] = queueWorkflows(cluster.service.ready, recipient);
	if (writes === undefined) throw new Error('There is no workflow that writes');
	await client.activateWorkflow(await client.createWorkflow(writes));
	const calls = Array.from({ length: CALLS }, () => WRITES);
	const answers = await killUnderLoad(cluster, calls, recipient, ANSWERS_BEFORE_KILL);
	const mints = await mintsByExecution(cluster.service, recipient);
	return { answers, transactions: [...mints.values()] };
}

test(
	'by default n8n 1.x sends writes twice, and reports all executions as successful',
	async () => {
		const { answers, transactions } = await outcomeWith({});
		expect(transactions.filter((hashes) => hashes.length === 2).length).toBeGreaterThan(0);
		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	},
	PREPARATION_TIME,
);

test(
	'with the setting that the document names it sends none twice, and reports what was lost',
	async () => {
		const { answers, transactions } = await outcomeWith({ QUEUE_WORKER_MAX_STALLED_COUNT: '0' });
		expect(transactions.filter((hashes) => hashes.length !== 1)).toEqual([]);
		expect(answers.filter(({ status }) => status === 500).length).toBeGreaterThan(0);
	},
	PREPARATION_TIME,
);
