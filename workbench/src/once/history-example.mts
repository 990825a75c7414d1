import type { Chain } from '../chain.mts';
import type { JsonObject } from '../json.mts';
import { readText } from '../json.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import type { Comparison } from './comparison.mts';

function show({ formatted, symbol, name, toUsername }: JsonObject): string {
	return `${formatted} ${symbol || name || 'items'} to ${toUsername}`;
}

/** Compares the transfers of `examples/transfer-history-table.json`, and that each has its row in the table. */
export async function compareHistory(run: WorkflowRun, chain: Chain): Promise<Comparison> {
	const [user] = run.items('User');
	const transfers = run.items('Transfers');
	const rows = run.items('One Row per Transfer');
	const expected = await chain.transfers(readText(user?.address, "the user's address"));
	const [newest] = transfers;
	return {
		operation: 'history list',
		shown: `${transfers.length} transfers, the newest: ${newest ? show(newest) : 'none'}`,
		fromNode: {
			transfers: transfers.map(({ hash, toAddress, tokenAddress, value }) => ({
				hash,
				to: toAddress,
				tokenAddress,
				value,
			})),
			rows: rows.map(({ Amount }) => Amount),
		},
		fromChain: { transfers: expected, rows: transfers.map(({ formatted }) => formatted) },
	};
}
