/** *Retry* of an execution of the editor, which the main process has run: a worker continues it. */
import type { JsonObject } from '../../../tools/files/json.mts';
import { startJsonServer } from '../../../tools/network/json-server.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { AS_GIVEN, mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { chainedWorkflow, contractCall, rowsOf, walletNode } from '../../support/n8n/workflow.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { cluster, KEPT } from '../support/cluster.mts';

const start = { name: 'Run It Now', type: 'n8n-nodes-base.manualTrigger' };
const MINT = 'mint(address to, uint256 amount)';

test.each([
	// The row that an earlier payment has answered is paid again: `docs/production.md`, *Not covered*.
	['that keeps writes', 'kept', KEPT, undefined, 2 + 2],
	['that does not', 'service', 'sandboxUser0001', 'another process of n8n ran it', 2],
] as const)(
	'at a service %s, it pays what was not paid, or nothing',
	async (_what, place, credential, refusal, count) => {
		const { chain, contracts, faults } = cluster[place];
		const { executions, client, resources } = cluster;
		const { to, items } = mintItems('1', '2', '3');
		let table: JsonObject[] = items.slice(0, 1);
		const { url } = await resources.use(startJsonServer(() => table));
		const call = contractCall('write', contracts.gold, MINT, AS_GIVEN);
		const nodes = [start, rowsOf(url), walletNode('Mint', credential, call)];
		const workflow = await client.createWorkflow(chainedWorkflow(`${place}Editor`, nodes));
		const paid = async () => (await mintedTo(chain, to)).length;
		await executions.start(workflow);
		expect(await paid()).toBe(1);
		table = items;
		await faults.add({
			kind: 'failed',
			times: 1,
			skip: 1,
			match: { method: place === 'kept' ? 'PUT' : 'POST', path: `${WRITE}|/v1/writes/.*` },
		});
		const execution = await executions.start(workflow);
		expect(await paid()).toBe(2);
		const { saved } = await executions.retry(execution);
		expect(readWorkflowRun(saved).error).toEqual(
			refusal === undefined ? undefined : expect.stringContaining(refusal),
		);
		expect(await paid()).toBe(count);
	},
);
