import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { walletWorkflow } from '../../e2e/support/workflow.mts';

/** The credential of the first sandbox user. */
export const CREDENTIAL = 'sandboxUser0001';

/** Items that the writes of {@link writesWorkflow} take in. */
export const WRITES = 4;

/** Every operation, a preview, and a failing item with an error output. */
export function operationsWorkflow({ contracts, users }: SandboxReady): object {
	const transfer = {
		resource: 'contract',
		operation: 'write',
		contractAddress: contracts.usd,
		abi: 'function transfer(address to, uint256 amount) returns (bool)',
		argumentsMode: 'json',
		args: JSON.stringify([users[1]?.id, '1.5 * 10^6']),
	};
	const operations = {
		user: { resource: 'user', operation: 'get' },
		missing: { resource: 'user', operation: 'get', userId: 'DISCORD-404' },
		native: { resource: 'balance', operation: 'native', userId: users[2]?.id ?? '' },
		write: transfer,
		preview: { ...transfer, options: { preview: true } },
		token: { resource: 'balance', operation: 'token', contractAddress: contracts.gold },
		history: { resource: 'history', operation: 'list', returnAll: true },
		read: {
			resource: 'contract',
			operation: 'read',
			contractAddress: contracts.usd,
			abi: 'function totalSupply() external view returns (uint256)',
		},
	};
	return walletWorkflow('operations', CREDENTIAL, operations, {
		settings: { missing: { onError: 'continueErrorOutput' } },
	});
}

/** Several writes in one run of a node that n8n runs again when it fails: item 0 stores 0, item 1 stores 1, ... */
export function writesWorkflow({ contracts }: SandboxReady): object {
	const operations = {
		items: { resource: 'history', operation: 'list', returnAll: false, limit: WRITES },
		writes: {
			resource: 'contract',
			operation: 'write',
			contractAddress: contracts.shapes,
			abi: 'store(uint256)',
			argumentsMode: 'json',
			args: '={{ [String($itemIndex)] }}',
		},
	};
	return walletWorkflow('writes', CREDENTIAL, operations, {
		behind: { writes: 'items' },
		settings: { writes: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 } },
	});
}
