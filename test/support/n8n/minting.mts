import { Wallet } from 'ethers';
import type { SandboxContracts } from '../../../sandbox/src/ready.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import type { Chain } from '../../../tools/sandbox/chain.mts';
import { contractCall, walletNode } from './workflow.mts';

/** Settings of a node that n8n runs again immediately if it fails. */
export const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Arguments of {@link mintNode}: the values of the item. */
export const AS_GIVEN = '={{ [$json.to, $json.amount] }}';

/** Arguments of {@link mintNode}: a different amount on each evaluation, like deadlines and nonces. */
export const BY_TIME = '={{ [$json.to, String(Date.now())] }}';

/** A node that mints gold to a wallet, with the credential of the first seeded user. */
export const mintNode = (name: string, { gold }: SandboxContracts, args: string, settings = {}) =>
	walletNode(
		name,
		'sandboxUser0001',
		contractCall('write', gold, 'mint(address to, uint256 amount)', args),
		settings,
	);

/** Items that mint these amounts to a new wallet, to which nobody else sends anything. */
export function mintItems(...amounts: string[]): { to: string; items: JsonObject[] } {
	const to = Wallet.createRandom().address;
	return { to, items: amounts.map((amount) => ({ to, amount })) };
}

/** Hashes of all transactions that minted to a wallet, oldest first. */
export async function mintedTo(chain: Chain, to: string): Promise<string[]> {
	return (await chain.transfers(to)).map(({ hash }) => hash).reverse();
}
