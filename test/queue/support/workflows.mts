import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import type { NodeParameters } from '../../e2e/support/workflow.mts';

/** Name of the node that calls the service. */
export const WALLET_NODE = 'Wallet';

/** Ids of the workflows, which are the paths of their webhooks too. */
export const READS = 'queueReads';
export const WRITES = 'queueWrites';

const CREDENTIAL = 'sandboxUser0001';

/** A webhook that answers with what the Wallet Service node gives out. */
function webhookWorkflow(id: string, parameters: NodeParameters): object {
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				id: 'webhook',
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				position: [0, 0],
				webhookId: id,
				parameters: { httpMethod: 'POST', path: id, responseMode: 'lastNode', options: {} },
			},
			{
				id: 'wallet',
				name: WALLET_NODE,
				type: 'n8n-nodes-wallet-service.walletService',
				typeVersion: 1,
				position: [300, 0],
				parameters,
				credentials: { walletServiceApi: { id: CREDENTIAL, name: CREDENTIAL } },
			},
		],
		connections: { Webhook: { main: [[{ node: WALLET_NODE, type: 'main', index: 0 }]] } },
	};
}

/**
 * One workflow that reads, and one that writes: it mints as many base units as its execution's id says, so that every transaction
 * on the chain names the execution which sent it.
 */
export function queueWorkflows({ contracts }: SandboxReady, recipient: string): object[] {
	const call = { resource: 'contract', contractAddress: contracts.gold, argumentsMode: 'json' };
	return [
		webhookWorkflow(READS, {
			...call,
			operation: 'read',
			abi: 'balanceOf(address owner) view returns (uint256)',
			args: `={{ ['${recipient}'] }}`,
		}),
		webhookWorkflow(WRITES, {
			...call,
			operation: 'write',
			abi: 'mint(address to, uint256 amount)',
			args: `={{ ['${recipient}', $execution.id] }}`,
		}),
	];
}
