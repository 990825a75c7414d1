import { setTimeout } from 'node:timers/promises';
import { keccak256, type HDNodeWallet } from 'ethers';
import type { Call } from '../../../service/src/writes/call.mts';
import type { DevelopmentChain } from '../chain/development-chain.mts';

/** Interval between checks for a transaction's receipt, in milliseconds. */
const RECEIPT_EVERY_MS = 50;

/** Sends a transaction that sets up a development chain, and waits until it is in a block. Keeps no record of it. */
export async function sendAndWait(
	{ provider, broadcast }: DevelopmentChain,
	wallet: HDNodeWallet,
	call: Call,
): Promise<void> {
	const signer = wallet.connect(provider);
	const raw = await signer.signTransaction(await signer.populateTransaction(call));
	const hash = keccak256(raw);
	const sent = await broadcast(raw, hash);
	if (Array.isArray(sent)) throw new Error(`The chain refused a transaction of ${wallet.address}`);
	const isMined = async () =>
		sent !== true || (await provider.getTransactionReceipt(hash)) !== null;
	while (!(await isMined())) await setTimeout(RECEIPT_EVERY_MS);
}
