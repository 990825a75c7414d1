import { parseUnits } from 'ethers';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import type { Chain } from '../chain.mts';
import type { JsonObject } from '../json.mts';
import { readText } from '../json.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import type { Comparison } from './comparison.mts';

/** `formatted` is only right when it scales back to the same integer. */
function balanceItem({ userId, balance, formatted, decimals, symbol }: JsonObject) {
	return { userId, balance, scaled: parseUnits(String(formatted), Number(decimals)), symbol };
}

function show(items: JsonObject[], sandbox: SandboxReady): string {
	const nameOf = new Map(sandbox.users.map(({ id, username }) => [id, username]));
	return items
		.map(({ userId, formatted, symbol }) => `${nameOf.get(String(userId))} ${formatted} ${symbol}`)
		.join(', ');
}

/** Compares the balances and the alerts of `examples/scheduled-balance-check.json`. */
export async function compareBalances(
	run: WorkflowRun,
	sandbox: SandboxReady,
	chain: Chain,
): Promise<Comparison[]> {
	const { users, contracts, nativeSymbol } = sandbox;
	const wallets = run.items('One Item per Wallet');
	const expected = await Promise.all(
		wallets.map(async ({ userId }) => {
			const address = readText(users.find(({ id }) => id === userId)?.address, 'a known user');
			return {
				coin: await chain.nativeBalance(address),
				dollars: await chain.tokenBalance(contracts.usd, address),
			};
		}),
	);
	const chainItem = (index: number, balance: bigint, symbol: string) => ({
		userId: wallets[index]?.userId,
		balance: balance.toString(),
		scaled: balance,
		symbol,
	});
	const low = wallets.filter(({ minimumCoin, minimumDollars }, index) => {
		const { coin, dollars } = expected[index] ?? { coin: 0n, dollars: 0n };
		return coin < BigInt(String(minimumCoin)) || dollars < BigInt(String(minimumDollars));
	});
	const coins = run.items('Coin Balance');
	const dollars = run.items('Dollar Balance');
	const alerts = run.items('Find Low Balances').map(({ userId }) => userId);
	return [
		{
			operation: 'balance native',
			shown: `${show(coins, sandbox)}; ${alerts.length} wallets below their minimum`,
			fromNode: { items: coins.map(balanceItem), alerts },
			fromChain: {
				items: expected.map(({ coin }, index) => chainItem(index, coin, nativeSymbol)),
				alerts: low.map(({ userId }) => userId),
			},
		},
		{
			operation: 'balance token',
			shown: show(dollars, sandbox),
			fromNode: dollars.map(balanceItem),
			fromChain: expected.map(({ dollars: amount }, index) => chainItem(index, amount, 'SUSD')),
		},
	];
}
