import type { SandboxReady } from '../../sandbox/src/ready.mts';
import { Chain } from '../sandbox/chain.mts';
import { executeWorkflow } from '../n8n/cli.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import { compareBalances } from './balance-example.mts';
import type { Comparison } from './comparison.mts';
import { compareHistory } from './history-example.mts';
import { compareReads } from './read-example.mts';
import { compareSend } from './send-example.mts';
import { compareWrite } from './write-example.mts';

/** Ids of the example workflows that start from a manual trigger. */
const EXAMPLES = {
	balances: 'walletBalances01',
	history: 'walletHistory001',
	reads: 'walletRead000001',
	send: 'walletSend000001',
};

/** Id of the example workflow that starts from a webhook and has to be active for it. */
export const WEBHOOK_EXAMPLE = 'walletWebhook001';

async function runExample(userFolder: string, id: string): Promise<WorkflowRun> {
	const run = await executeWorkflow(userFolder, id);
	if (run.error !== undefined) throw new Error(`The example ${id} failed: ${run.error}`);
	return run;
}

/**
 * Executes every example through n8n and holds what the node gave against what the chain says.
 *
 * @param n8nUrl - Address of an n8n that runs on the folder, with the webhook example active.
 * @returns one comparison for each of the seven operations.
 */
export async function compareExamples(
	userFolder: string,
	n8nUrl: string,
	sandbox: SandboxReady,
): Promise<Comparison[]> {
	await using chain = new Chain(sandbox.rpcUrl);
	const balances = await runExample(userFolder, EXAMPLES.balances);
	const history = await runExample(userFolder, EXAMPLES.history);
	const reads = await runExample(userFolder, EXAMPLES.reads);
	const comparisons = [
		...(await compareBalances(balances, sandbox, chain)),
		await compareHistory(history, chain),
		await compareReads(reads, sandbox, chain),
	];
	// Last, because they change balances and history.
	const send = await compareSend(await runExample(userFolder, EXAMPLES.send), sandbox, chain);
	const write = await compareWrite(n8nUrl, sandbox, chain);
	const [user] = history.items('User');
	return [
		{
			operation: 'user get',
			shown: `${user?.username} (${user?.id}) has the wallet ${user?.address}`,
			fromNode: user?.address,
			// The wallet that the chain saw signing for this user's token.
			fromChain: write.from,
		},
		...comparisons,
		send,
		write,
	];
}
