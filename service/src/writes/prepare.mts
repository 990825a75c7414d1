import { setTimeout } from 'node:timers/promises';
import type { RevertReader } from '../abi/revert.mts';
import type { Chain } from '../chain/chain.mts';
import { ContractRefusal } from '../rpc/failures.mts';
import { quantity } from '../rpc/values.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { highestPrice, lowestPrice, offer, readDataFee, readMarket } from '../rpc/fees.mts';
import { worstPrice, type Fees, type GasCaps } from '../rpc/fees.mts';
import type { Network } from '../rpc/networks.mts';
import type { Database, WalletRow } from '../store/tables.mts';
import { costOf, openWrites } from '../store/writes.mts';
import type { Call } from './call.mts';
import type { Deadline } from './deadline.mts';
import { CallRefused, GasTooExpensive } from './failures.mts';

/** What a transaction needs beyond its call. */
export interface Prepared {
	/** The lowest gas limit with which the call succeeds. */
	estimate: bigint;
	gasLimit: bigint;
	fees: Fees;
	/** Of the wallet, in wei. */
	balance: bigint;
	/** What the transaction pays beyond its value and its gas, in wei. */
	dataFee: bigint;
	/** Whether the wallet runs a contract's code: nodes keep only one of its transactions at a time. */
	isDelegated: boolean;
}

export interface PreparationPorts {
	db: Database;
	endpoints: Endpoints;
	network: Network;
	gasCaps: GasCaps;
	/** The state that a call is tried on; a development chain can be asked for `pending`. */
	stateTag: 'latest' | 'pending';
	readRevert: RevertReader;
	hasContract: Chain['hasContract'];
	/** Confirms the open writes of a wallet that are in a block by now. */
	confirm(walletId: number): Promise<void>;
	/** Compares a wallet with the chain, and closes it if the chain is ahead. */
	compare(wallet: Pick<WalletRow, 'id' | 'address'>): Promise<void>;
	/** Sends a wallet the native coin that it lacks for gas, in wei, and waits for the block. */
	fund?(address: string, shortfall: bigint): Promise<void>;
}

/** Percentage by which the gas limit exceeds the estimate, because the chain's state may change before the call is mined. */
const GAS_MARGIN = 20n;

/** Beginning of the code of a wallet that has delegated to a contract (EIP-7702). */
const DELEGATION = '0xef0100';

/** Longest time for which a call that would fail waits for earlier writes of the wallet, in milliseconds. */
const SETTLE_MS = 15_000;
const SETTLE_EVERY_MS = 250;

/** Reads from the chain what a transaction needs. Changes nothing. */
export class Preparation {
	readonly #ports: PreparationPorts;
	/** Wallets whose nonce this process has compared with the chain. */
	readonly #compared = new Set<number>();

	constructor(ports: PreparationPorts) {
		this.#ports = ports;
	}

	/**
	 * Reads what the transaction needs. A call that would fail waits for the wallet's open writes, because it may depend on
	 * them, such as a payment on its approval.
	 *
	 * @throws CallRefused if it would revert, or the wallet cannot pay
	 * @throws GasTooExpensive if the network asks for more than the operator allows
	 * @throws ChainUnavailable if no endpoint answers
	 */
	async prepare(
		wallet: Pick<WalletRow, 'id' | 'address'>,
		call: Call,
		deadline: Deadline,
	): Promise<Prepared> {
		const { db, confirm } = this.#ports;
		await this.#compareOnce(wallet);
		const patience = Math.max(0, deadline.left - SETTLE_MS);
		for (let confirmed = -1; ; ) {
			// Read first: if there are none, the answers below take all earlier writes into account.
			const open = await openWrites(db, wallet.id);
			const answer = await this.#tryOut(wallet.address, call, costOf(open));
			if (!(answer instanceof CallRefused)) return answer;
			if (open.length === 0 || deadline.left <= patience) throw answer;
			if (confirmed === open.length) await setTimeout(SETTLE_EVERY_MS);
			confirmed = open.length;
			await confirm(wallet.id);
		}
	}

	/** Confirms the open writes of a wallet that are in a block by now. */
	async confirm(walletId: number): Promise<void> {
		await this.#ports.confirm(walletId);
	}

	async #tryOut(from: string, call: Call, reserved: bigint): Promise<Prepared | CallRefused> {
		const { endpoints, network, gasCaps, hasContract, fund } = this.#ports;
		const [hasCode, market, code, balance, estimate] = await Promise.all([
			hasContract(call.to),
			readMarket(endpoints, network),
			endpoints.call('eth_getCode', [from, 'latest']),
			this.#balance(from),
			this.#estimate(from, call),
		]);
		if (!hasCode && call.data !== '0x')
			return new CallRefused(`There is no contract at ${call.to}`);
		if (balance - reserved < call.value) {
			const amount = `Unable to send ${call.value} wei - Amount exceeds your current balance of ${balance}`;
			return new CallRefused(
				reserved === 0n ? amount : `${amount}, of which ${reserved} are reserved`,
			);
		}
		if (estimate instanceof CallRefused) return estimate;
		const gasLimit = estimate + (estimate * GAS_MARGIN) / 100n;
		const dataFee = await readDataFee(endpoints, network, call.data, gasLimit);
		const cap = highestPrice(gasCaps, gasLimit, dataFee);
		const asked = lowestPrice(market);
		if (asked > cap) {
			const allowed = `the limits of the service allow ${cap} wei for this call`;
			throw new GasTooExpensive(`A unit of gas costs ${asked} wei; ${allowed}`);
		}
		const fees = offer(market, cap);
		const isDelegated = String(code).startsWith(DELEGATION);
		const prepared = { estimate, gasLimit, fees, balance, dataFee, isDelegated };
		const shortfall = call.value + gasLimit * worstPrice(fees) + dataFee + reserved - balance;
		if (shortfall <= 0n) return prepared;
		if (!fund) {
			const needed = `The wallet ${from} lacks ${shortfall} wei for gas`;
			return new CallRefused(`${needed}: its balance is ${balance}`);
		}
		await fund(from, shortfall);
		return { ...prepared, balance: await this.#balance(from) };
	}

	async #balance(address: string): Promise<bigint> {
		return await this.#ports.endpoints.agreed(quantity, 'eth_getBalance', [address, 'latest']);
	}

	async #estimate(from: string, { to, data, value }: Call): Promise<bigint | CallRefused> {
		const { endpoints, stateTag, readRevert } = this.#ports;
		const transaction = { from, to, data, value: `0x${value.toString(16)}` };
		try {
			return await endpoints.ask(quantity, 'eth_estimateGas', [transaction, stateTag]);
		} catch (error) {
			if (!(error instanceof ContractRefusal)) throw error;
			return new CallRefused(readRevert(error.data));
		}
	}

	async #compareOnce(wallet: Pick<WalletRow, 'id' | 'address'>): Promise<void> {
		if (this.#compared.has(wallet.id)) return;
		await this.#ports.compare(wallet);
		this.#compared.add(wallet.id);
	}
}
