import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Chain } from '../sandbox/chain.mts';
import { readText } from '../files/json.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import type { Comparison } from './comparison.mts';

/** Compares the transfer of `examples/send-a-token.json` with the chain's record, and that the history behind it lists it. */
export async function compareSend(
	run: WorkflowRun,
	{ contracts, users: [sender, recipient] }: SandboxReady,
	chain: Chain,
): Promise<Comparison> {
	const [sent] = run.items('Send 1.5 SUSD to Rahul');
	const [newest] = run.items('Latest Transfers');
	const hash = readText(sent?.hash, 'the transaction hash');
	const { receipt, transfers } = await chain.transaction(hash);
	const { id, address: to } = recipient ?? {};
	return {
		operation: 'token send',
		shown: String(sent?.summary),
		fromNode: {
			status: 1,
			from: sender?.address,
			transfers: [
				{
					...{ hash, to: sent?.to, tokenAddress: contracts.usd.toLowerCase() },
					value: sent?.baseUnits,
				},
			],
			sent: [sent?.amount, sent?.symbol, sent?.recipient, sent?.to],
			newest: newest?.hash,
		},
		fromChain: {
			status: receipt.status,
			from: receipt.from,
			transfers,
			sent: ['1.5', 'SUSD', id, to],
			newest: hash,
		},
	};
}
