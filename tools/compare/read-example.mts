import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Chain } from '../sandbox/chain.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import type { Comparison } from './comparison.mts';

/** Compares the three answers of `examples/contract-read.json`. */
export async function compareReads(
	run: WorkflowRun,
	{ contracts, users: [firstUser] }: SandboxReady,
	chain: Chain,
): Promise<Comparison> {
	const valueOf = (nodeName: string) => run.items(nodeName).map(({ value }) => value);
	const balance = await chain.tokenBalance(contracts.usd, firstUser?.address ?? '');
	const supply = await chain.read(contracts.usd, 'function totalSupply() view returns (uint256)');
	const summary =
		'function summary() view returns (uint256 count, string name, bool open, address self)';
	const [count, title, open, self] = await chain.read(contracts.shapes, summary);
	const fromNode = ['Token Balance', 'Total Supply', 'Several Values'].map(valueOf);
	return {
		operation: 'contract read',
		shown: fromNode.map((values) => JSON.stringify(values.flat(1))).join(', '),
		fromNode,
		fromChain: [
			[balance.toString()],
			supply.map(String),
			[{ count: String(count), name: title, open, self }],
		],
	};
}
