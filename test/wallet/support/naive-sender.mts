/** The control of the proof: a sender that takes a new nonce for a payment whose transaction it does not find. */
import { setTimeout } from 'node:timers/promises';
import { Interface, JsonRpcProvider, Wallet } from 'ethers';
import { LEDGER, startNetwork } from '../../../tools/wallet/network.mts';
import { Resources } from '../../support/resources.mts';
import { startEndpoint } from './endpoint.mts';
import { NEVER } from './orders.mts';
import { payloadOf } from './payment.mts';
import { WildChain } from './wild-chain.mts';

const ledger = new Interface(['function pay(bytes32 id)']);
const BLOCK_MS = 50;
const BLOCKS_TO_WAIT = 4;
const MAX_ATTEMPTS = 8;

/** @returns how many of the payments were executed more than once */
export async function payNaively(payments: number): Promise<number> {
	await using resources = new Resources();
	const { rpcUrl } = await resources.use(startNetwork(NEVER));
	const chain = new WildChain(rpcUrl, 'anvil');
	const { url } = await resources.use(startEndpoint(rpcUrl, chain.laggard));
	const lagging = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
	const wallet = new Wallet(Wallet.createRandom().privateKey, chain.provider);
	await chain.prepare([wallet.address]);
	let doubled = 0;
	for (let number = 0; number < payments; number++) {
		const call = { to: LEDGER, data: ledger.encodeFunctionData('pay', [payloadOf(number)]) };
		for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			const nonce = await chain.provider.getTransactionCount(wallet.address);
			const { hash } = await wallet.sendTransaction({ ...call, nonce, gasLimit: 100_000n });
			for (let block = 0; block < BLOCKS_TO_WAIT; block++) {
				await chain.mine();
				await setTimeout(BLOCK_MS);
			}
			if (await lagging.getTransactionReceipt(hash)) break;
		}
		if (Number(await chain.provider.getStorage(LEDGER, payloadOf(number))) > 1) doubled += 1;
	}
	lagging.destroy();
	chain.provider.destroy();
	return doubled;
}
