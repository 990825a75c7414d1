import type { Chain } from '../sandbox/chain.mts';
import type { JsonObject } from '../files/json.mts';
import { readText } from '../files/json.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import type { Comparison } from './comparison.mts';

function show({ direction, amount, symbol, tokenAddress, who }: JsonObject): string {
	const what = `${direction} ${amount} ${symbol || tokenAddress}`;
	return direction === 'sent' ? `${what} to ${who}` : what;
}

/** Compares the transfers of `examples/transfer-history-table.json`, and that each has its row in the table. */
export async function compareHistory(run: WorkflowRun, chain: Chain): Promise<Comparison> {
	const [user] = run.items('User');
	const transfers = run.items('Transfers');
	const rows = run.items('One Row per Transfer');
	const expected = await chain.history(readText(user?.address, "the user's address"));
	const [newest] = transfers;
	return {
		operation: 'history list',
		shown: `${transfers.length} transfers, the newest: ${newest ? show(newest) : 'none'}`,
		fromNode: {
			transfers: transfers.map(({ hash, toAddress, tokenAddress, amount, direction }) => ({
				...{ hash, toAddress, tokenAddress, amount, direction },
			})),
			rows: rows.map(({ Amount }) => Amount),
		},
		fromChain: { transfers: expected, rows: expected.map(({ amount }) => amount) },
	};
}
