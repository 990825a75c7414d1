import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Chain } from '../sandbox/chain.mts';
import { readObject, readText } from '../files/json.mts';
import { WEBHOOK_KEY } from '../sandbox/credentials.mts';
import type { Comparison } from './comparison.mts';

/** What the example sends of the token, which has 6 decimals. */
const AMOUNT = '1.5';
const BASE_UNITS = '1500000';

/** Where `examples/webhook-contract-write.json` listens. */
export const transferWebhook = (n8nUrl: string) => `${n8nUrl}/webhook/wallet-transfer`;

/** Triggers the webhook example as another app would, and compares the transaction that it caused with the chain's record. */
export async function compareWrite(
	n8nUrl: string,
	{ contracts, users: [sender, recipient] }: SandboxReady,
	chain: Chain,
): Promise<Comparison & { from: string }> {
	const to = readText(recipient?.address, 'a second user');
	const { data } = await axios.post(
		transferWebhook(n8nUrl),
		// n8n remembers the orders of earlier runs.
		{ order: randomUUID(), to, amount: AMOUNT },
		{ headers: { [WEBHOOK_KEY.name]: WEBHOOK_KEY.value } },
	);
	const answer = readObject(data, 'the answer of the webhook');
	const hash = readText(answer.hash, 'the transaction hash');
	const { receipt, transfers } = await chain.transaction(hash);
	return {
		operation: 'contract write',
		shown: `${AMOUNT} SUSD from ${sender?.username} to ${recipient?.username} in ${hash}, block ${receipt.blockNumber}`,
		fromNode: {
			status: 1,
			from: sender?.address,
			transfers: [{ hash, to, tokenAddress: contracts.usd.toLowerCase(), value: BASE_UNITS }],
		},
		fromChain: { status: receipt.status, from: receipt.from, transfers },
		from: receipt.from,
	};
}
