import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { chainedWorkflow, walletNode, webhook } from '../../support/n8n/chained-workflow.mts';

/** Name of the node that calls the service. */
export const WALLET_NODE = 'Wallet';

/** IDs of the workflows, also the paths of their webhooks. */
export const READS = 'queueReads';
export const WRITES = 'queueWrites';

const CREDENTIAL = 'sandboxUser0001';

/**
 * One workflow that reads, and one that writes: it mints as many base units as its execution's ID, so that every transaction on
 * the chain identifies the execution that sent it.
 */
export function queueWorkflows({ contracts }: SandboxReady, recipient: string): object[] {
	const call = {
		resource: 'contract',
		functionSource: 'signature',
		contractAddress: contracts.gold,
		argumentsMode: 'json',
	};
	const workflow = (id: string, parameters: object) =>
		chainedWorkflow(id, [
			webhook(id, 'firstItem'),
			walletNode(WALLET_NODE, CREDENTIAL, { ...call, ...parameters }),
		]);
	return [
		workflow(READS, {
			operation: 'read',
			abi: 'balanceOf(address owner) view returns (uint256)',
			args: `={{ ['${recipient}'] }}`,
		}),
		workflow(WRITES, {
			operation: 'write',
			abi: 'mint(address to, uint256 amount)',
			args: `={{ ['${recipient}', $execution.id] }}`,
		}),
	];
}
