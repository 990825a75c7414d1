/**
 * *Retry* of an execution whose worker was killed in the middle of a payment: n8n still has its data if that worker starts
 * again in its old folder, and another worker continues it.
 */
import type { JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { chainedWorkflow, rowsOf, walletNode, webhook } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { cluster, KEPT, LONG_LOCK, startAgain } from '../support/cluster.mts';

const WORKFLOW = 'queueCrash';
let table: JsonObject[];

beforeAll(async () => {
	const send = { resource: 'token', operation: 'send', token: cluster.kept.contracts.usd };
	const each = {
		recipient: '={{ $json.to }}',
		amount: '={{ $json.amount }}',
		options: { sender: '={{ $json.payer }}' },
	};
	const { url } = await cluster.resources.use(startJsonServer(() => table));
	const nodes = [
		webhook(WORKFLOW, 'atOnce'),
		rowsOf(url),
		walletNode('Pay', KEPT, { ...send, ...each }),
	];
	const settings = { saveExecutionProgress: false };
	await publishNew(cluster.client, [chainedWorkflow(WORKFLOW, nodes, settings)]);
});

test('pays only what was not paid, on another worker, in any order, and nothing if a row has changed or another user is to pay', async () => {
	const { kept, executions } = cluster;
	const { to, items } = mintItems('1', '2', '3');
	const paid = async () => await mintedTo(kept.chain, to);
	const paidBy = (payer: string, rows = items) => rows.map((row) => ({ ...row, payer }));
	const { id: own } = kept.user();
	table = paidBy(own);
	await cluster.workers[0]?.stop();
	const running = await startAgain(1, LONG_LOCK);
	const match = { method: 'PUT', path: '/v1/writes/.*' };
	await kept.faults.add({ kind: 'hang', match, times: 1, skip: 2 });
	await executions.call(WORKFLOW, []);
	const isHeld = async () => (await kept.faults.requests()).some(({ fault }) => fault === 'hang');
	await until(async () => (await paid()).length === 2 && (await isHeld()));
	const [id = ''] = await executions.underWay(WORKFLOW);
	process.kill(running.pid, 'SIGKILL');
	await (await startAgain(1)).stop();
	await startAgain(0);
	expect(await executions.read(id)).toMatchObject({ status: 'crashed' });
	const hashes = await paid();
	const [first = {}, ...others] = items;
	table = paidBy(own, [{ ...first, amount: '9' }, ...others]);
	const { error } = readWorkflowRun((await executions.retry(id)).saved);
	expect(error).toMatch(
		/^1 of 3 cannot be sent, nothing more was sent: row 1 \(0x\w+…\w+\): The retried execution/,
	);
	expect(error).toContain(hashes[0]);
	expect(await paid()).toEqual(hashes);
	table = paidBy(kept.user('Rahul Sen').id);
	const ofOther = readWorkflowRun((await executions.retry(id)).saved);
	expect(ofOther.error).toContain('but "GOOGLE-115842093764510827364" is to pay');
	expect(await paid()).toEqual(hashes);
	table = paidBy(own, items.toReversed());
	expect(await executions.retry(id)).toMatchObject({ status: 'success' });
	expect(await paid()).toHaveLength(3);
});
