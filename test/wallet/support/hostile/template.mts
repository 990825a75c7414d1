/** What every case begins with: a service that has a final payment, a final deposit, and a payment that waits for a block. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { computeAddress, parseEther, parseUnits } from 'ethers';
import { Resources } from '../../../support/resources.mts';
import { until } from '../../../support/until.mts';
import { senderOf } from '../scripted-block.mts';
import type { ScriptedChain } from '../scripted-chain.mts';
import { COIN, installScripted, TOKEN, type ScriptedService } from '../scripted-service.mts';
import { transferCall } from '../scripted-transfer.mts';

/** Blocks above a final one. */
export const DEPTH = 3;

/** The operator's limits for gas: of a unit, and of a write, in wei. */
export const GAS_CAPS = { price: parseUnits('50', 'gwei'), cost: parseEther('0.01') };

/** What the user's token may spend in a day, gas included, in wei. */
export const NATIVE_PER_DAY = parseEther('0.02');

const LIMITS = {
	amounts: [
		{ asset: 'native' as const, kind: 'native' as const, decimals: 18, symbol: COIN },
		{ asset: TOKEN, kind: 'erc20' as const, decimals: 6, symbol: 'USDX' },
	].map((one) => ({ ...one, perDay: one.asset === TOKEN ? '100000000' : String(NATIVE_PER_DAY) })),
};

export const BERT = `0x${'be'.repeat(20)}`;
const STRANGER = `0x${'57'.repeat(32)}`;
const STRANGER_ADDRESS = computeAddress(STRANGER).toLowerCase();

/** The call of an order, as the interface takes it; each order has another amount. */
export const bodyOf = (order: number) => ({
	address: TOKEN,
	abi: 'transfer(address,uint256)',
	args: [BERT, String(2_500_000 + order)],
});

/** The data of an order's transaction. */
export const dataOf = (order: number): string => transferCall(BERT, BigInt(2_500_000 + order));

export const keyOf = (order: number): string => `order ${order}`;

/** Somebody sends tokens to the wallet of the user. @returns the hash */
export function deposit(chain: ScriptedChain, wallet: string, amount: bigint): string {
	const from = STRANGER_ADDRESS;
	const waiting = [...chain.pool.values()].filter((one) => senderOf(one) === from).length;
	const nonce = chain.countAt(from) + waiting;
	return chain.signElsewhere(STRANGER, { to: TOKEN, data: transferCall(wallet, amount), nonce });
}

export interface Template {
	chain: ScriptedChain;
	/** Database files: of a service that has only its user, and of one that has run. */
	fresh: string;
	used: string;
	/** Hashes of the deposit, and of the order 1, which is in no block. */
	deposited: string;
	open: string;
}

/** Copies a database that is in use. */
function snapshot({ database }: ScriptedService, file: string): void {
	const db = new DatabaseSync(database, { timeout: 5_000 });
	db.exec(`VACUUM INTO '${file}'`);
	db.close();
}

/** @param folder for the database files */
export async function makeTemplate(folder: string): Promise<Template> {
	await using own = new Resources();
	const [fresh, used] = [join(folder, 'fresh.sqlite'), join(folder, 'used.sqlite')];
	const options = { depth: DEPTH, limits: LIMITS, replaced: { gasCaps: GAS_CAPS } };
	const scripted = await installScripted(own, options);
	const { chain, payers, get, put } = scripted;
	snapshot(scripted, fresh);
	await scripted.start();
	const deposited = deposit(chain, payers[0]?.address ?? '', 5_000_000n);
	await put(keyOf(0), bodyOf(0));
	const paid = [...chain.pool.values()].find(({ data }) => data === dataOf(0));
	chain.mine(DEPTH + 2);
	await until(async () => {
		const { data } = await get(`/transactions/${paid?.hash}`);
		return JSON.stringify(data).includes('"final":true');
	});
	await scripted.run().history.catchUp();
	await put(keyOf(1), bodyOf(1));
	const open = [...chain.pool.values()].find(({ data }) => data === dataOf(1))?.hash;
	if (typeof open !== 'string') throw new Error('The second payment was not sent');
	await scripted.stop();
	snapshot(scripted, used);
	return { chain: chain.copy(), fresh, used, deposited, open };
}
