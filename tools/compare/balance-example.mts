import { formatUnits } from 'ethers';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Chain } from '../sandbox/chain.mts';
import type { JsonObject } from '../files/json.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import type { Comparison } from './comparison.mts';

/** What the example compares the balances with, in base units. */
const MINIMUM = { coin: 5n * 10n ** 18n, dollars: 165_750_000n };

/** The users whose wallets the example watches, by their place in the sandbox. */
const WATCHED = [0, 1, 2, 5];

const picked = ({ userId, baseUnits, amount, symbol, comparison, difference }: JsonObject) => ({
	...{ userId, baseUnits, amount, symbol, comparison, difference },
});

const inWhole = (value: bigint, decimals: number): string =>
	formatUnits(value, decimals).replace(/\.0$/, '');

function show(items: JsonObject[], sandbox: SandboxReady): string {
	const nameOf = new Map(sandbox.users.map(({ id, username }) => [id, username]));
	const low = items.map(
		({ userId, amount, symbol }) => `${nameOf.get(String(userId))} ${amount} ${symbol}`,
	);
	return `too low: ${low.length === 0 ? 'none' : low.join(', ')}`;
}

/** Compares the low balances and the alerts of `examples/scheduled-balance-check.json`. */
export async function compareBalances(
	run: WorkflowRun,
	sandbox: SandboxReady,
	chain: Chain,
): Promise<Comparison[]> {
	const { contracts, nativeSymbol } = sandbox;
	const users = sandbox.users.filter((_user, index) => WATCHED.includes(index));
	const lowOnChain = async (
		{ symbol, decimals, minimum }: { symbol: string; decimals: number; minimum: bigint },
		balanceOf: (address: string) => Promise<bigint>,
	) => {
		const balances = await Promise.all(
			users.map(async ({ id, address }) => ({ userId: id, balance: await balanceOf(address) })),
		);
		return balances
			.filter(({ balance }) => balance < minimum)
			.map(({ userId, balance }) => ({
				...{ userId, baseUnits: balance.toString(), amount: inWhole(balance, decimals), symbol },
				...{ comparison: 'below', difference: inWhole(balance - minimum, decimals) },
			}));
	};
	const coins = run.items('Coin Balance');
	const dollars = run.items('Dollar Balance');
	const lowDollars = await lowOnChain(
		{ symbol: 'SUSD', decimals: 6, minimum: MINIMUM.dollars },
		async (address) => await chain.tokenBalance(contracts.usd, address),
	);
	return [
		{
			operation: 'balance native',
			shown: show(coins, sandbox),
			fromNode: coins.map(picked),
			fromChain: await lowOnChain(
				{ symbol: nativeSymbol, decimals: 18, minimum: MINIMUM.coin },
				async (address) => await chain.nativeBalance(address),
			),
		},
		{
			operation: 'balance token',
			shown: show(dollars, sandbox),
			fromNode: {
				items: dollars.map(picked),
				alerts: run.items('Alert').map(({ alert }) => alert),
			},
			fromChain: {
				items: lowDollars,
				alerts: lowDollars.map(
					({ userId, amount, symbol, difference }) =>
						`${userId} has only ${amount} ${symbol}, ${difference.slice(1)} below the minimum`,
				),
			},
		},
	];
}
