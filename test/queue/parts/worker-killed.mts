/** One of two workers is killed under load: every transaction on the chain and every execution is accounted for. */
import { Wallet } from 'ethers';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { readText } from '../../../tools/files/json.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import type { SavedExecution } from '../../support/n8n/executions.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { chainedWorkflow, contractCall, walletNode, webhook } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { mintsByExecution, startsByExecution } from '../support/account.mts';
import { cluster } from '../support/cluster.mts';
import {
	EXECUTIONS_PER_WORKER,
	killUnderLoad,
	type WebhookAnswer,
} from '../support/kill-worker.mts';
import { quotations } from '../support/recommended-settings.mts';

/** Name of the node that calls the service. */
const WALLET_NODE = 'Wallet';
/** IDs of the workflows, also the paths of their webhooks. */
const READS = 'queueReads';
const WRITES = 'queueWrites';
/** Number of calls to each webhook. */
const CALLS = 100;
/** A worker is killed when this many writes have been answered. */
const ANSWERS_BEFORE_KILL = 30;

/** A new wallet, to which nobody else sends anything. */
const recipient = Wallet.createRandom().address;
let answers: WebhookAnswer[];
let reads: Report[];
let writes: Report[];
/** Hashes on the chain by the ID of the execution that sent them. */
let mints: Map<string, string[]>;
let starts: Map<string, number>;

/**
 * One workflow that reads, and one that writes: the number of base units that the latter mints is its execution's ID, so
 * that every transaction on the chain identifies the execution that sent it.
 */
function workflowsOf({ contracts: { gold } }: SandboxReady): object[] {
	const balance = 'balanceOf(address owner) view returns (uint256)';
	const mint = 'mint(address to, uint256 amount)';
	const args = `={{ ['${recipient}', $execution.id] }}`;
	return Object.entries({
		[READS]: contractCall('read', gold, balance, `={{ ['${recipient}'] }}`),
		[WRITES]: contractCall('write', gold, mint, args),
	}).map(([id, parameters]) =>
		chainedWorkflow(id, [webhook(id), walletNode(WALLET_NODE, 'sandboxUser0001', parameters)]),
	);
}

/** n8n's report on an execution: the reason for a failure, and the transaction hash in the wallet node's output item. */
function reportOf({ id, status, saved }: SavedExecution) {
	const run = readWorkflowRun(saved);
	const [{ hash } = {}] = run.hasRun(WALLET_NODE) ? run.items(WALLET_NODE) : [];
	const sent = hash === undefined ? undefined : readText(hash, 'the hash');
	return { id, status, error: run.error, hash: sent };
}
type Report = ReturnType<typeof reportOf>;

const failed = (reports: Report[]) => reports.filter(({ status }) => status !== 'success');

describe('a worker is killed under load', () => {
	beforeAll(async () => {
		const { service, client, executions } = cluster;
		await publishNew(client, workflowsOf(service.ready));
		const calls = Array.from({ length: CALLS }, () => [READS, WRITES]).flat();
		answers = await killUnderLoad(cluster, calls, recipient, ANSWERS_BEFORE_KILL);
		// n8n answers a caller before it records that an execution has failed.
		await until(async () => {
			reads = (await executions.ended(READS)).map(reportOf);
			writes = (await executions.ended(WRITES)).map(reportOf);
			return reads.length + writes.length >= 2 * CALLS;
		});
		mints = await mintsByExecution(service, recipient);
		starts = await startsByExecution(cluster.workers.map(({ logFile }) => logFile));
	});

	test('every call is one execution, and each of them has ended', () => {
		expect(answers).toHaveLength(2 * CALLS);
		expect(new Set(reads.map(({ id }) => id)).size).toBe(CALLS);
		expect(new Set(writes.map(({ id }) => id)).size).toBe(CALLS);
	});

	test('no execution runs again, and no transaction is sent twice', () => {
		expect([...starts].filter(([, count]) => count !== 1)).toEqual([]);
		expect([...mints].filter(([, hashes]) => hashes.length !== 1)).toEqual([]);
	});

	test('each transaction on the chain is reported by the execution that sent it, or that execution is reported as failed', () => {
		const executions = new Map(writes.map((write) => [write.id, write]));
		const unreported = [...mints].filter(([id, [hash]]) => executions.get(id)?.hash !== hash);
		const statuses = unreported.map(([id]) => executions.get(id)?.status);
		expect(new Set(statuses)).toEqual(new Set(['error']));
		// The kill must have hit writes between the transaction and the answer; otherwise the test proves nothing.
		expect(unreported.length).toBeGreaterThan(0);
	});

	test('each hash that an execution reports is on the chain', () => {
		const succeeded = writes.filter(({ status }) => status === 'success');
		expect(succeeded.length).toBeGreaterThan(CALLS / 2);
		expect(succeeded.map(({ hash }) => hash)).toEqual(
			succeeded.map(({ id }) => mints.get(id)?.join(' ')),
		);
	});

	test('only executions of the killed worker fail, with the message that the documentation quotes', async () => {
		const lost = [...failed(reads), ...failed(writes)];
		expect(lost.length).toBeLessThanOrEqual(EXECUTIONS_PER_WORKER);
		const messages = [...new Set(lost.map(({ error }) => error))];
		expect(messages).toEqual(await quotations());
	});

	test('callers learn the outcome of their execution', () => {
		const answered = (workflow: string, status: number) =>
			answers.filter((answer) => answer.workflow === workflow && answer.status === status);
		expect(answered(READS, 500)).toHaveLength(failed(reads).length);
		expect(answered(WRITES, 500)).toHaveLength(failed(writes).length);
		const reported = writes.flatMap(({ hash }) => hash ?? []);
		const told = answered(WRITES, 200).flatMap(({ items }) => items.map(({ hash }) => hash));
		expect(told.sort()).toEqual(reported.sort());
		expect(answered(READS, 200)).toHaveLength(CALLS - failed(reads).length);
	});
});
