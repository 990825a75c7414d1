/** *Retry* in queue mode: whichever worker continues the execution, it pays only what was not paid where the service keeps writes. */
import { AS_GIVEN, mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	chainedWorkflow,
	contractCall,
	itemsPosted,
	walletNode,
	webhook,
} from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { startsByExecution } from '../support/account.mts';
import { cluster, KEPT } from '../support/cluster.mts';

const WORKFLOW = 'keptList';
/** At least this many Retries, and as many more until both workers have taken part. */
const RETRIES = 4;
const MAX_RETRIES = 40;

/** Number of the worker that ran an execution. */
async function workerOf(execution: string): Promise<number> {
	const logs = await Promise.all(
		cluster.workers.map(async ({ logFile }) => await startsByExecution([logFile])),
	);
	return logs.findIndex((starts) => starts.has(execution));
}

beforeAll(async () => {
	const call = contractCall(
		'write',
		cluster.kept.contracts.gold,
		'mint(address to, uint256 amount)',
		AS_GIVEN,
	);
	await publishNew(cluster.client, [
		chainedWorkflow(WORKFLOW, [webhook(WORKFLOW), itemsPosted, walletNode('Mint', KEPT, call)]),
	]);
});

test('a Retry pays only what was not paid, on the same worker and on the other one', async () => {
	const { executions, kept } = cluster;
	const isOther = new Set<boolean>();
	const retried = new Set<string>();
	const isEnough = () => retried.size >= RETRIES && isOther.size === 2;
	while (!isEnough() && retried.size < MAX_RETRIES) {
		const { to, items } = mintItems('1', '2', '3');
		const match = { method: 'PUT', path: '/v1/writes/.*' };
		await kept.faults.add({ kind: 'failed', match, times: 1, skip: 1 });
		expect(await executions.call(WORKFLOW, items)).toMatchObject({ status: 500 });
		const [paid, ...others] = await mintedTo(kept.chain, to);
		expect(others).toEqual([]);
		const failed = async () =>
			(await executions.ended(WORKFLOW)).find(
				({ id, status }) => status === 'error' && !retried.has(id),
			);
		await until(async () => (await failed()) !== undefined);
		const { id: first = '' } = (await failed()) ?? {};
		retried.add(first);
		// Idle workers take turns: an execution in between lets the same one continue.
		if (retried.size % 2 === 0) await executions.call(WORKFLOW, []);
		const { id, status, saved } = await executions.retry(first);
		expect(status).toBe('success');
		const hashes = await mintedTo(kept.chain, to);
		expect(hashes).toHaveLength(3);
		expect(hashes[0]).toBe(paid);
		for (const hash of hashes) expect(JSON.stringify(saved)).toContain(hash);
		isOther.add((await workerOf(first)) !== (await workerOf(id)));
		await kept.faults.reset();
	}
	expect(isEnough()).toBe(true);
});
