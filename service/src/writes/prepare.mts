import { setTimeout } from 'node:timers/promises';
import { toQuantity } from 'ethers';
import type { RevertReader } from '../abi/revert.mts';
import { readDataFee } from '../rpc/data-fee.mts';
import type { Chain } from '../chain/chain.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { decideFees, worstPrice, type Fees, type GasCaps } from '../rpc/fees.mts';
import { readMarket } from '../rpc/market.mts';
import type { Network } from '../rpc/networks.mts';
import type { Outcome } from '../rpc/outcomes.mts';
import { bytes, quantity } from '../rpc/values.mts';
import type { Database, WalletRow } from '../store/tables.mts';
import { costOf, openWrites } from '../store/writes.mts';
import { allRefuse, EndpointsDisagree } from './agreement.mts';
import type { Call } from './call.mts';
import type { Deadline } from './deadline.mts';
import { estimateGas, gasLimitFor } from './estimate.mts';
import { CallRefused } from './failures.mts';
import type { Refusals } from './refusals.mts';

/** What a transaction needs beyond its call. */
export interface Prepared {
	/** The lowest gas limit with which the call succeeds. */
	estimate: bigint;
	gasLimit: bigint;
	fees: Fees;
	/** Of the wallet, in wei, by the endpoint that reports least. */
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
	refusals: Pick<Refusals, 'gasCap' | 'assertTaken'>;
	/** Confirms the open writes of a wallet that are in a block by now. */
	confirm(walletId: number): Promise<void>;
	/** Compares a wallet with the chain, and closes it if the chain is ahead. */
	compare(wallet: Pick<WalletRow, 'id' | 'address'>): Promise<void>;
	/** Sends a wallet the native coin that it lacks for gas, in wei, and waits for the block. */
	fund?(address: string, shortfall: bigint): Promise<void>;
}

/** Beginning of the code of a wallet that has delegated to a contract (EIP-7702). */
const DELEGATION = '0xef0100';

/** Size above which nodes take no transaction, and least size of all but the call data, in bytes. */
const MAX_BYTES = 128 * 1_024;
const LEAST_FRAME = 110;

/** Longest time for which a call that would fail waits for earlier writes of the wallet, in milliseconds. */
const SETTLE_MS = 15_000;
const SETTLE_EVERY_MS = 250;

const ascending = (balances: readonly Outcome<bigint>[]): bigint[] =>
	balances
		.flatMap((one) => (one.refusal ? [] : one.answer))
		.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
const leastOf = (balances: readonly Outcome<bigint>[]): bigint => ascending(balances)[0] ?? 0n;

/** The highest balance that an endpoint reports, and whether all report it. */
interface HighestBalance {
	wei: bigint;
	isExact: boolean;
	words: string;
}

function highestIn(balances: readonly Outcome<bigint>[]): HighestBalance {
	const wei = ascending(balances).at(-1) ?? 0n;
	const isExact = wei === leastOf(balances);
	return { wei, isExact, words: isExact ? String(wei) : `at most ${wei}` };
}

/** @throws CallRefused if nodes take no transaction of this size */
function assertSize({ data }: Call): void {
	const most = MAX_BYTES - LEAST_FRAME;
	const size = (data.length - 2) / 2;
	if (size <= most) return;
	throw new CallRefused(`The data of the call has ${size} bytes; nodes take at most ${most}`);
}

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
	 * them, such as a payment on its approval; and endpoints that disagree may be at different blocks.
	 *
	 * @throws CallRefused if it would revert, the wallet cannot pay, or nodes take no such transaction
	 * @throws GasTooExpensive if the network asks for more than the operator allows
	 * @throws ChainUnavailable if no endpoint answers, or they disagree
	 */
	async prepare(
		wallet: Pick<WalletRow, 'id' | 'address'>,
		call: Call,
		deadline: Deadline,
	): Promise<Prepared> {
		const { db, confirm } = this.#ports;
		assertSize(call);
		await this.#compareOnce(wallet);
		const patience = Math.max(0, deadline.left - SETTLE_MS);
		for (let confirmed = -1; ; ) {
			// Read first: if there are none, the answers below take all earlier writes into account.
			const open = await openWrites(db, wallet.id);
			try {
				return await this.#tryOut(wallet.address, call, costOf(open));
			} catch (error) {
				const mayPass =
					error instanceof EndpointsDisagree || (error instanceof CallRefused && open.length > 0);
				if (!mayPass || deadline.left <= patience) throw error;
			}
			if (confirmed === open.length) await setTimeout(SETTLE_EVERY_MS);
			confirmed = open.length;
			await confirm(wallet.id);
		}
	}

	/** Confirms the open writes of a wallet that are in a block by now. */
	async confirm(walletId: number): Promise<void> {
		await this.#ports.confirm(walletId);
	}

	async #tryOut(from: string, call: Call, reserved: bigint): Promise<Prepared> {
		const { endpoints, network, gasCaps, readRevert, stateTag, refusals, fund } = this.#ports;
		const { to, data, value } = call;
		const tried = { from, to, data, value: toQuantity(value) };
		const estimating = estimateGas(endpoints, readRevert, tried, stateTag);
		// What is checked first is reported first.
		estimating.catch(() => undefined);
		const [market, ownCode, balances, hasCode] = await Promise.all([
			readMarket(endpoints, network),
			endpoints.outcomes(bytes, 'eth_getCode', [from, 'latest']),
			this.#balances(from),
			data === '0x' || this.#ports.hasContract(to),
		]);
		if (!hasCode) throw new CallRefused(`There is no contract at ${to}`);
		this.#assertBalance(balances, value + reserved, (balance) => {
			const amount = `Unable to send ${value} wei - Amount exceeds your current balance of ${balance.words}`;
			return reserved === 0n ? amount : `${amount}, of which ${reserved} are reserved`;
		});
		const estimate = await estimating;
		const { blockGas, isBlockGasCertain } = market;
		const bounds = { blockGas, isBlockGasCertain, gasCap: refusals.gasCap };
		const gasLimit = gasLimitFor(estimate, bounds);
		const dataFee = await readDataFee(endpoints, network, data, gasLimit);
		const fees = decideFees(market, gasCaps, { gasLimit, dataFee });
		refusals.assertTaken({ gasLimit, fees });
		const isDelegated = ownCode.some((one) => !one.refusal && one.answer.startsWith(DELEGATION));
		const needed = value + gasLimit * worstPrice(fees) + dataFee + reserved;
		const balance = leastOf(balances);
		const prepared = { estimate, gasLimit, fees, dataFee, isDelegated };
		if (balance >= needed) return { ...prepared, balance };
		if (fund) {
			await fund(from, needed - balance);
			return { ...prepared, balance: leastOf(await this.#balances(from)) };
		}
		this.#assertBalance(balances, needed, (most) => {
			const lack = `${most.isExact ? '' : 'at least '}${needed - most.wei}`;
			return `The wallet ${from} lacks ${lack} wei for gas: its balance is ${most.words}`;
		});
		throw new EndpointsDisagree('The endpoints disagree about the balance of the wallet');
	}

	/** @throws CallRefused if no endpoint reports as much as is needed; EndpointsDisagree if some do */
	#assertBalance(
		balances: readonly Outcome<bigint>[],
		needed: bigint,
		words: (balance: HighestBalance) => string,
	): void {
		const isLess = (one: Outcome<bigint>) => !one.refusal && one.answer < needed;
		const { quorum } = this.#ports.endpoints;
		if (!allRefuse(balances, quorum, 'the balance of the wallet', isLess)) return;
		throw new CallRefused(words(highestIn(balances)));
	}

	async #balances(address: string): Promise<Outcome<bigint>[]> {
		return await this.#ports.endpoints.outcomes(quantity, 'eth_getBalance', [address, 'latest']);
	}

	async #compareOnce(wallet: Pick<WalletRow, 'id' | 'address'>): Promise<void> {
		if (this.#compared.has(wallet.id)) return;
		await this.#ports.compare(wallet);
		this.#compared.add(wallet.id);
	}
}
