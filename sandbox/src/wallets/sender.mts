import { setTimeout } from 'node:timers/promises';
import { keccak256, type HDNodeWallet } from 'ethers';
import type { Call } from '../../../service/src/writes/call.mts';
import type { DevelopmentChain } from '../chain/development-chain.mts';

/** Interval between checks for a transaction's receipt, in milliseconds. */
const RECEIPT_EVERY_MS = 50;

/** Sends the transactions that set up the chain. Only for a development chain: it keeps no record of them. */
export class Sender {
	readonly address: string;
	readonly #wallet: HDNodeWallet;
	readonly #chain: DevelopmentChain;
	#last: Promise<unknown> = Promise.resolve();

	constructor(chain: DevelopmentChain, wallet: HDNodeWallet) {
		this.#wallet = wallet;
		this.address = wallet.address;
		this.#chain = chain;
	}

	/** Sends a transaction after all earlier ones, and waits until it is in a block. */
	async sendAndWait(call: Call): Promise<void> {
		const sent = this.#last.then(() => this.#send(call));
		this.#last = sent.catch(() => undefined);
		const hash = await sent;
		if (hash === undefined) return;
		const isMined = async () => (await this.#chain.provider.getTransactionReceipt(hash)) !== null;
		while (!(await isMined())) await setTimeout(RECEIPT_EVERY_MS);
	}

	/** @returns the hash unless the transaction is in a block */
	async #send(call: Call): Promise<string | undefined> {
		const from = this.address;
		const { provider, endpoints, broadcast } = this.#chain;
		const [nonce, fees, estimate] = await Promise.all([
			provider.getTransactionCount(from, 'pending'),
			provider.getFeeData(),
			provider.estimateGas({ ...call, from, blockTag: 'pending' }),
		]);
		const { maxFeePerGas, maxPriorityFeePerGas } = fees;
		const { chainId } = endpoints.identity;
		const gasLimit = (estimate * 6n) / 5n;
		const fields = { type: 2, chainId, nonce, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
		const raw = await this.#wallet.signTransaction({ ...call, ...fields });
		const hash = keccak256(raw);
		const sent = await broadcast(raw, hash);
		if (sent === false) throw new Error(`The chain refused a transaction of ${from}`);
		return sent === true ? hash : undefined;
	}
}
