import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { chainedWorkflow, contractCall, walletNode, webhook } from '../../support/n8n/workflow.mts';

/** Name of the node that calls the service. */
export const WALLET_NODE = 'Wallet';

/** IDs of the workflows, also the paths of their webhooks. */
export const READS = 'queueReads';
export const WRITES = 'queueWrites';

/**
 * One workflow that reads, and one that writes: the latter mints as many base units as its execution's ID, so that every transaction on
 * the chain identifies the execution that sent it.
 */
export function queueWorkflows({ contracts }: SandboxReady, recipient: string): object[] {
	const workflow = (id: string, parameters: JsonObject) =>
		chainedWorkflow(id, [
			webhook(id, 'firstItem'),
			walletNode(WALLET_NODE, 'sandboxUser0001', parameters),
		]);
	const balance = 'balanceOf(address owner) view returns (uint256)';
	const mint = 'mint(address to, uint256 amount)';
	const args = `={{ ['${recipient}', $execution.id] }}`;
	return [
		workflow(READS, contractCall('read', contracts.gold, balance, `={{ ['${recipient}'] }}`)),
		workflow(WRITES, contractCall('write', contracts.gold, mint, args)),
	];
}
