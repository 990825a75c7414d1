import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { formatUnits } from 'ethers';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import { readObject, readText, type JsonObject } from '../files/json.mts';
import { executeWorkflow } from '../n8n/cli.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import { Chain } from '../sandbox/chain.mts';
import { WEBHOOK_KEY } from '../sandbox/credentials.mts';
import type { Comparison } from './comparison.mts';

/** IDs of the example workflows that start from a manual trigger. */
const EXAMPLES = {
	balances: 'walletBalances01',
	history: 'walletHistory001',
	reads: 'walletRead000001',
	send: 'walletSend000001',
};

/** ID of the example workflow that starts from a webhook and must be active for it. */
export const WEBHOOK_EXAMPLE = 'walletWebhook001';

/** The webhook of `examples/webhook-contract-write.json`. */
export const transferWebhook = (n8nUrl: string) => `${n8nUrl}/webhook/wallet-transfer`;

/** The users whose wallets the balance example watches, by their place in the sandbox. */
const WATCHED = [0, 1, 2, 5];

/** A token, or the native coin, whose balances the example checks, with its minimum in base units. */
interface Watched {
	readonly symbol: string;
	readonly decimals: number;
	readonly minimum: bigint;
	readonly balanceOf: (address: string) => Promise<bigint>;
}

/** Compares low balances and alerts of `examples/scheduled-balance-check.json`. */
async function compareBalances(
	run: WorkflowRun,
	sandbox: SandboxReady,
	chain: Chain,
): Promise<Comparison[]> {
	const users = sandbox.users.filter((_user, index) => WATCHED.includes(index));
	const lowOnChain = async ({ symbol, decimals, minimum, balanceOf }: Watched) => {
		const whole = (value: bigint) => formatUnits(value, decimals).replace(/\.0$/, '');
		const rows = await Promise.all(
			users.map(async ({ id: userId, address }) => {
				const balance = await balanceOf(address);
				return {
					...{ userId, baseUnits: balance.toString(), amount: whole(balance), symbol },
					...{ comparison: 'below', difference: whole(balance - minimum) },
				};
			}),
		);
		return rows.filter(({ baseUnits }) => BigInt(baseUnits) < minimum);
	};
	const fromNode = (nodeName: string) =>
		run.items(nodeName).map(({ userId, baseUnits, amount, symbol, comparison, difference }) => ({
			...{ userId, baseUnits, amount, symbol, comparison, difference },
		}));
	const show = (items: JsonObject[]) => {
		const nameOf = (userId: unknown) => users.find(({ id }) => id === userId)?.username;
		const low = items.map(({ userId, amount, symbol }) => `${nameOf(userId)} ${amount} ${symbol}`);
		return `too low: ${low.join(', ') || 'none'}`;
	};
	const [coins, dollars] = [fromNode('Coin Balance'), fromNode('Dollar Balance')];
	const lowDollars = await lowOnChain({
		...{ symbol: 'SUSD', decimals: 6, minimum: 165_750_000n },
		balanceOf: async (address) => await chain.tokenBalance(sandbox.contracts.usd, address),
	});
	return [
		{
			operation: 'balance native',
			shown: show(coins),
			fromNode: coins,
			fromChain: await lowOnChain({
				...{ symbol: sandbox.nativeSymbol, decimals: 18, minimum: 5n * 10n ** 18n },
				balanceOf: async (address) => await chain.getBalance(address),
			}),
		},
		{
			operation: 'balance token',
			shown: show(dollars),
			fromNode: { items: dollars, alerts: run.items('Alert').map(({ alert }) => alert) },
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

/** Compares the transfers of `examples/transfer-history-table.json`, and the table row of each. */
async function compareHistory(run: WorkflowRun, chain: Chain): Promise<Comparison> {
	const [user] = run.items('User');
	const transfers = run.items('Transfers');
	const expected = await chain.history(readText(user?.address, "the user's address"));
	const { direction, amount, symbol, tokenAddress, who } = transfers[0] ?? {};
	const to = direction === 'sent' ? ` to ${who}` : '';
	return {
		operation: 'history list',
		shown: `${transfers.length} transfers, the newest: ${direction} ${amount} ${symbol || tokenAddress}${to}`,
		fromNode: {
			transfers: transfers.map((one) => ({
				...{ hash: one.hash, toAddress: one.toAddress, tokenAddress: one.tokenAddress },
				...{ amount: one.amount, direction: one.direction },
			})),
			rows: run.items('One Row per Transfer').map(({ Amount }) => Amount),
		},
		fromChain: { transfers: expected, rows: expected.map((one) => one.amount) },
	};
}

/** Compares the three answers of `examples/contract-read.json`. */
async function compareReads(
	run: WorkflowRun,
	{ contracts, users: [firstUser] }: SandboxReady,
	chain: Chain,
): Promise<Comparison> {
	const balance = await chain.tokenBalance(contracts.usd, firstUser?.address ?? '');
	const supply = await chain.read(contracts.usd, 'function totalSupply() view returns (uint256)');
	const summary =
		'function summary() view returns (uint256 count, string name, bool open, address self)';
	const [count, title, open, self] = await chain.read(contracts.shapes, summary);
	const fromNode = ['Token Balance', 'Total Supply', 'Several Values'].map((nodeName) =>
		run.items(nodeName).map(({ value }) => value),
	);
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

/** Compares the transfer of `examples/send-a-token.json` with the chain's record, and its entry in the history. */
async function compareSend(
	run: WorkflowRun,
	{ contracts, users: [sender, recipient] }: SandboxReady,
	chain: Chain,
): Promise<Comparison> {
	const [sent] = run.items('Send 1.5 SUSD to Rahul');
	const [newest] = run.items('Latest Transfers');
	const hash = readText(sent?.hash, 'the transaction hash');
	const { receipt, transfers } = await chain.transaction(hash);
	const tokenAddress = contracts.usd.toLowerCase();
	return {
		operation: 'token send',
		shown: String(sent?.summary),
		fromNode: {
			status: 1,
			from: sender?.address,
			transfers: [{ hash, to: sent?.to, tokenAddress, value: sent?.baseUnits }],
			sent: [sent?.amount, sent?.symbol, sent?.recipient, sent?.to],
			newest: newest?.hash,
		},
		fromChain: {
			...{ status: receipt.status, from: receipt.from, transfers },
			sent: ['1.5', 'SUSD', recipient?.id, recipient?.address],
			newest: hash,
		},
	};
}

/** Calls the webhook example as another app would, and compares its transaction with the chain's record. */
async function compareWrite(
	n8nUrl: string,
	{ contracts, users: [sender, recipient] }: SandboxReady,
	chain: Chain,
): Promise<Comparison & { from: string }> {
	const to = readText(recipient?.address, 'a second user');
	const { data } = await axios.post(
		transferWebhook(n8nUrl),
		// n8n remembers the orders of earlier runs.
		{ order: randomUUID(), to, amount: '1.5' },
		{ headers: { [WEBHOOK_KEY.name]: WEBHOOK_KEY.value } },
	);
	const hash = readText(readObject(data, 'the answer of the webhook').hash, 'the transaction hash');
	const { receipt, transfers } = await chain.transaction(hash);
	const tokenAddress = contracts.usd.toLowerCase();
	return {
		operation: 'contract write',
		shown: `1.5 SUSD from ${sender?.username} to ${recipient?.username} in ${hash}, block ${receipt.blockNumber}`,
		fromNode: {
			...{ status: 1, from: sender?.address },
			transfers: [{ hash, to, tokenAddress, value: '1500000' }],
		},
		fromChain: { status: receipt.status, from: receipt.from, transfers },
		from: receipt.from,
	};
}

/**
 * Executes every example in n8n and compares the node's output with the chain.
 *
 * @param n8nUrl - An n8n that runs on the folder, with the webhook example active.
 * @returns one comparison per operation, seven in all.
 */
export async function compareExamples(
	userFolder: string,
	n8nUrl: string,
	sandbox: SandboxReady,
): Promise<Comparison[]> {
	await using chain = new Chain(sandbox.rpcUrl);
	const runExample = async (id: string): Promise<WorkflowRun> => {
		const run = await executeWorkflow(userFolder, id);
		if (run.error !== undefined) throw new Error(`The example ${id} failed: ${run.error}`);
		return run;
	};
	const balances = await runExample(EXAMPLES.balances);
	const history = await runExample(EXAMPLES.history);
	const reads = await runExample(EXAMPLES.reads);
	const comparisons = [
		...(await compareBalances(balances, sandbox, chain)),
		await compareHistory(history, chain),
		await compareReads(reads, sandbox, chain),
	];
	// Last, because they change balances and history.
	const send = await compareSend(await runExample(EXAMPLES.send), sandbox, chain);
	const write = await compareWrite(n8nUrl, sandbox, chain);
	const [user] = history.items('User');
	return [
		{
			operation: 'user get',
			shown: `${user?.username} (${user?.id}) has the wallet ${user?.address}`,
			fromNode: user?.address,
			// The wallet that signed for this user's token, according to the chain.
			fromChain: write.from,
		},
		...comparisons,
		send,
		write,
	];
}
