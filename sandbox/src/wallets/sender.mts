import { setTimeout } from 'node:timers/promises';
import { Transaction, isError, keccak256, type HDNodeWallet } from 'ethers';
import { revertData, type RevertReader } from '../abi/revert.mts';
import type { Chain } from '../chain/chain.mts';
import { destine, type Fate } from './fate.mts';
import type { GasStation } from './gas-station.mts';

/** A transaction to send. */
export interface Call {
	to: string;
	/** 0x-prefixed call data. */
	data: string;
	/** Native coin to send along, in wei. */
	value: bigint;
}

/** A signed transaction that the chain has accepted. */
export interface SentTransaction {
	hash: string;
	/** Address of the wallet that signed it. */
	from: string;
	/** The other signed fields. */
	details: Transaction;
	/** Whether what was sent has succeeded; undefined if it is not in a block yet. */
	succeeded: boolean | undefined;
}

/** A call refused by the chain; the message states the reason. */
export class CallRefused extends Error {}

/** Percentage by which the gas limit exceeds the estimate, because the chain's state may change before the call is mined. */
const GAS_MARGIN = 20n;

/** Interval between checks for a transaction's receipt, in milliseconds. */
const RECEIPT_EVERY_MS = 50;

/** Signs and submits the transactions of one wallet, one after the other, so that each has its own nonce. */
export class Sender {
	readonly address: string;
	readonly #wallet: HDNodeWallet;
	readonly #chain: Chain;
	readonly #readRevert: RevertReader;
	readonly #gasStation: GasStation | undefined;
	#last: Promise<unknown> = Promise.resolve();
	/** Number of transactions whose hash was returned but which the chain never received. */
	#lost = 0n;

	constructor(options: {
		wallet: HDNodeWallet;
		chain: Chain;
		readRevert: RevertReader;
		/** Tops up the wallet for gas; without a gas station, the wallet needs enough native coin. */
		gasStation?: GasStation;
	}) {
		this.#wallet = options.wallet;
		this.address = options.wallet.address;
		this.#chain = options.chain;
		this.#readRevert = options.readRevert;
		this.#gasStation = options.gasStation;
	}

	/**
	 * Submits a transaction after all earlier ones.
	 *
	 * @param fate what happens to it; the returned hash may differ from the mined transaction's hash
	 * @throws CallRefused if the call reverts or the wallet cannot afford its value
	 */
	send(call: Call, fate: Fate = 'mined'): Promise<SentTransaction> {
		const sent = this.#last.then(() => this.#submit(call, fate));
		this.#last = sent.catch(() => undefined);
		return sent;
	}

	/** Like `send`, but resolves once the transaction is in a block. */
	async sendAndWait(call: Call): Promise<void> {
		const { hash, succeeded } = await this.send(call);
		if (succeeded !== undefined) return;
		// ethers' `waitForTransaction` can miss the block, and a chain that mines only for transactions may never mine another.
		const isMined = async () => (await this.#chain.provider.getTransactionReceipt(hash)) !== null;
		while (!(await isMined())) await setTimeout(RECEIPT_EVERY_MS);
	}

	async #submit(call: Call, fate: Fate): Promise<SentTransaction> {
		const from = this.address;
		const { provider, chainId } = this.#chain;
		const [nonce, fees, balance, estimate] = await Promise.all([
			provider.getTransactionCount(from, 'pending'),
			provider.getFeeData(),
			provider.getBalance(from),
			provider
				.estimateGas({ ...call, from, blockTag: 'pending' })
				.catch((error: unknown) => this.#refusal(error)),
		]);
		if (balance < call.value) {
			throw new CallRefused(
				`Unable to send ${call.value} wei - Amount exceeds your current balance of ${balance}`,
			);
		}
		if (estimate instanceof CallRefused) throw estimate;
		const gasLimit = estimate + (estimate * GAS_MARGIN) / 100n;
		const maxFeePerGas = fees.maxFeePerGas ?? fees.gasPrice ?? 0n;
		const shortfall = call.value + gasLimit * maxFeePerGas - balance;
		if (shortfall > 0n) await this.#gasStation?.provide(from, shortfall);

		const transaction = {
			...call,
			type: 2,
			chainId,
			nonce,
			gasLimit,
			maxFeePerGas,
			maxPriorityFeePerGas: fees.maxPriorityFeePerGas ?? 0n,
		};
		if (fate === 'dropped' || fate === 'replaced') this.#lost += 1n;
		const { told, sent } = destine(fate, transaction, { estimate, serial: this.#lost });
		const signed = await this.#wallet.signTransaction(told);
		const submitted = sent && sent !== told ? await this.#wallet.signTransaction(sent) : signed;
		const succeeded = sent && (await this.#chain.submit(submitted));
		return { hash: keccak256(signed), from, details: Transaction.from(signed), succeeded };
	}

	#refusal(error: unknown): CallRefused {
		const data = revertData(error);
		if (data !== undefined) return new CallRefused(this.#readRevert(data));
		if (isError(error, 'INSUFFICIENT_FUNDS')) return new CallRefused('Insufficient funds');
		throw error;
	}
}
