/**
 * *Retry* of an execution whose worker was killed in the middle of a payment: n8n still has its data if that worker starts
 * again in its old folder, and another worker continues it.
 */
import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import { startN8nWorker } from '../../../tools/n8n/server.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { chainedWorkflow, rowsOf, walletNode, webhook } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { cluster, KEPT, resources } from '../support/cluster.mts';

const WORKFLOW = 'queueCrash';
let table: JsonObject[];

beforeAll(async () => {
	const send = { resource: 'token', operation: 'send', token: cluster.kept.contracts.usd };
	const each = { recipient: '={{ $json.to }}', amount: '={{ $json.amount }}' };
	const { url } = await resources.use(startJsonServer(() => table));
	const nodes = [
		webhook(WORKFLOW, 'atOnce'),
		rowsOf(url),
		walletNode('Pay', KEPT, { ...send, ...each }),
	];
	const settings = { saveExecutionProgress: false };
	await publishNew(cluster.client, [chainedWorkflow(WORKFLOW, nodes, settings)]);
});

test('pays only what was not paid, on another worker, in any order, and nothing if a row has changed', async () => {
	const { kept, executions, workers } = cluster;
	const { to, items } = mintItems('1', '2', '3');
	const paid = async () => await mintedTo(kept.chain, to);
	table = items;
	const [one, other] = workers;
	if (one === undefined || other === undefined) throw new Error('Two workers are needed');
	await Promise.all([one.stop(), other.stop()]);
	const [folder, otherFolder] = [one, other].map(({ logFile }) => dirname(logFile));
	if (folder === undefined || otherFolder === undefined) throw new Error('Workers have folders');
	// A minute after the last sign of life of a worker, n8n drops the data of its execution; a busy machine needs longer.
	await appendFile(join(otherFolder, '.env'), '\nQUEUE_WORKER_LOCK_DURATION=3600000\n');
	const running = await resources.use(startN8nWorker(otherFolder));
	const match = { method: 'PUT', path: '/v1/writes/.*' };
	await kept.faults.add({ kind: 'hang', match, times: 1, skip: 2 });
	await executions.call(WORKFLOW, []);
	const isHeld = async () => (await kept.faults.requests()).some(({ fault }) => fault === 'hang');
	await until(async () => (await paid()).length === 2 && (await isHeld()));
	const [id = ''] = await executions.underWay(WORKFLOW);
	process.kill(running.pid, 'SIGKILL');
	const [, again] = await Promise.all(
		[folder, otherFolder].map(async (path) => await resources.use(startN8nWorker(path))),
	);
	await until(async () => (await executions.read(id)).status === 'crashed');
	await again?.stop();
	const hashes = await paid();
	const [first = {}, ...others] = items;
	table = [{ ...first, amount: '9' }, ...others];
	const { error } = readWorkflowRun((await executions.retry(id)).saved);
	expect(error).toMatch(
		/^1 of 3 cannot be sent, nothing more was sent: row 1 \(0x\w+…\w+\): The retried execution/,
	);
	expect(error).toContain(hashes[0]);
	expect(await paid()).toEqual(hashes);
	table = items.toReversed();
	expect(await executions.retry(id)).toMatchObject({ status: 'success' });
	expect(await paid()).toHaveLength(3);
});
