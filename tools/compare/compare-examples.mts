import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { formatUnits, parseUnits } from 'ethers';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import { readObject, readText, type JsonObject } from '../files/json.mts';
import type { N8nRestClient } from '../n8n/rest-client.mts';
import type { WorkflowRun } from '../n8n/workflow-run.mts';
import { Chain } from '../sandbox/chain.mts';
import { WEBHOOK_KEY } from '../sandbox/credentials.mts';
import type { Comparison } from './comparison.mts';

/** ID of the example workflow that starts from a webhook, and must therefore be active. */
export const WEBHOOK_EXAMPLE = 'walletWebhook001';

/** URL of the webhook of `examples/webhook-contract-write.json`. */
export const transferWebhook = (n8nUrl: string) => `${n8nUrl}/webhook/wallet-transfer`;

/** Orders a transfer of 1.5 SUSD from the webhook example, as another app would. */
export async function orderTransfer(webhook: string, to: string | undefined): Promise<unknown> {
	// A random order ID, because n8n remembers the orders of earlier runs.
	const order = { order: randomUUID(), to, amount: '1.5' };
	const headers = { [WEBHOOK_KEY.name]: WEBHOOK_KEY.value };
	return (await axios.post(webhook, order, { headers })).data;
}

/** The users whose wallets the balance example watches, by their position in the sandbox's list. */
const WATCHED = [0, 1, 2, 5];

/** Compares the low balances and alerts of `examples/scheduled-balance-check.json` with the chain. */
async function compareBalances(
	run: WorkflowRun,
	{ contracts, nativeSymbol, users }: SandboxReady,
	chain: Chain,
): Promise<Comparison[]> {
	const watched = users.filter((_user, index) => WATCHED.includes(index));
	const lowOnChain = async (
		{ symbol, decimals, least }: { symbol: string; decimals: number; least: string },
		balanceOf: (address: string) => Promise<bigint>,
	) => {
		const minimum = parseUnits(least, decimals);
		const whole = (value: bigint) => formatUnits(value, decimals).replace(/\.0$/, '');
		const balances = await Promise.all(watched.map(({ address }) => balanceOf(address)));
		const rows = balances.map((balance, index) => ({
			userId: watched[index]?.id,
			baseUnits: balance.toString(),
			amount: whole(balance),
			symbol,
			comparison: 'below',
			difference: whole(balance - minimum),
		}));
		return rows.filter(({ baseUnits }) => BigInt(baseUnits) < minimum);
	};
	const fromNode = (nodeName: string) =>
		run.items(nodeName).map(({ userId, baseUnits, amount, symbol, comparison, difference }) => ({
			userId,
			baseUnits,
			amount,
			symbol,
			comparison,
			difference,
		}));
	const show = (items: JsonObject[]) => {
		const nameOf = (userId: unknown) => watched.find(({ id }) => id === userId)?.username;
		const low = items.map(({ userId, amount, symbol }) => `${nameOf(userId)} ${amount} ${symbol}`);
		return `too low: ${low.join(', ') || 'none'}`;
	};
	const [coins, dollars] = [fromNode('Coin Balance'), fromNode('Dollar Balance')];
	const coin = { symbol: nativeSymbol, decimals: 18, least: '0.05' };
	const lowCoins = await lowOnChain(coin, (address) => chain.getBalance(address));
	const lowDollars = await lowOnChain({ symbol: 'SUSD', decimals: 6, least: '165.75' }, (address) =>
		chain.tokenBalance(contracts.usd, address),
	);
	const alerts = lowDollars.map(
		({ userId, amount, symbol, difference }) =>
			`${userId} has only ${amount} ${symbol}, ${difference.slice(1)} below the minimum`,
	);
	return [
		{ operation: 'balance native', shown: show(coins), fromNode: coins, fromChain: lowCoins },
		{
			operation: 'balance token',
			shown: show(dollars),
			fromNode: { items: dollars, alerts: run.items('Alert').map(({ alert }) => alert) },
			fromChain: { items: lowDollars, alerts },
		},
	];
}

/** Compares the transfers of `examples/transfer-history-table.json`, and the table row of each, with the chain. */
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
				hash: one.hash,
				toAddress: one.toAddress,
				tokenAddress: one.tokenAddress,
				amount: one.amount,
				direction: one.direction,
			})),
			rows: run.items('One Row per Transfer').map(({ Amount }) => Amount),
		},
		fromChain: { transfers: expected, rows: expected.map((one) => one.amount) },
	};
}

/** Compares the three answers of `examples/contract-read.json` with the chain. */
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

/** Compares the transfer of `examples/send-a-token.json`, and its entry in the history, with the chain's record. */
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
			status: receipt.status,
			from: receipt.from,
			transfers,
			sent: ['1.5', 'SUSD', recipient?.id, recipient?.address],
			newest: hash,
		},
	};
}

/** Compares the transaction of `examples/webhook-contract-write.json` with the chain's record. */
async function compareWrite(
	n8nUrl: string,
	{ contracts, users: [sender, recipient] }: SandboxReady,
	chain: Chain,
): Promise<Comparison & { from: string }> {
	const to = readText(recipient?.address, 'a second user');
	const answer = readObject(await orderTransfer(transferWebhook(n8nUrl), to), 'the answer');
	const hash = readText(answer.hash, 'the transaction hash');
	const { receipt, transfers } = await chain.transaction(hash);
	const tokenAddress = contracts.usd.toLowerCase();
	return {
		operation: 'contract write',
		shown: `1.5 SUSD from ${sender?.username} to ${recipient?.username} in ${hash}, block ${receipt.blockNumber}`,
		fromNode: {
			status: 1,
			from: sender?.address,
			transfers: [{ hash, to, tokenAddress, value: '1500000' }],
		},
		fromChain: { status: receipt.status, from: receipt.from, transfers },
		from: receipt.from,
	};
}

/**
 * Executes every example in n8n and compares the node's output with the chain.
 *
 * @param n8nUrl - URL of the running n8n, with the webhook example active.
 * @param client - Signed in to this n8n.
 * @returns one comparison per operation, seven in all.
 */
export async function compareExamples(
	n8nUrl: string,
	client: N8nRestClient,
	sandbox: SandboxReady,
): Promise<Comparison[]> {
	await using chain = new Chain(sandbox.rpcUrl);
	const balances = await client.execute('walletBalances01');
	const history = await client.execute('walletHistory001');
	const reads = await client.execute('walletRead000001');
	const comparisons = [
		...(await compareBalances(balances, sandbox, chain)),
		await compareHistory(history, chain),
		await compareReads(reads, sandbox, chain),
	];
	// Last, because they change balances and history.
	const send = await compareSend(await client.execute('walletSend000001'), sandbox, chain);
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
