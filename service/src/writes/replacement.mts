import { MaxUint256, Transaction, ZeroAddress } from 'ethers';
import type { Signer } from '../keys/signer.mts';
import type { Spending } from '../limits/spending.mts';
import { quantity } from '../rpc/values.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { highestPrice, isBelow, raise, readMarket, worstPrice } from '../rpc/fees.mts';
import type { Fees, GasCaps } from '../rpc/fees.mts';
import type { Network } from '../rpc/networks.mts';
import { commitAttempt, type UnminedWrite } from '../store/open-writes.mts';
import type { AttemptRow, Database, Queries, WriteState } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import { costOf, openWrites, UNMINED } from '../store/writes.mts';
import type { Observer } from './events.mts';
import { signChecked, type Unsigned } from './sign.mts';

export interface ReplacementPorts {
	db: Database;
	endpoints: Endpoints;
	network: Network;
	gasCaps: GasCaps;
	signer: Signer;
	spending: Spending;
	observe?: Observer;
}

/** How many times the price of the first transaction a replacement may offer. */
const MAX_TIMES = 5n;

/** Percentage by which the gas limit of an empty transaction exceeds the estimate. */
const GAS_MARGIN = 20n;

function feesOf({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: Transaction): Fees {
	return maxFeePerGas === null
		? { type: 0, gasPrice: gasPrice ?? 0n }
		: { type: 2, maxFeePerGas, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n };
}

/** Signs further transactions with the nonce of a write. A block takes only one of them. Each is stored before it is sent. */
export class Replacement {
	readonly #ports: ReplacementPorts;

	constructor(ports: ReplacementPorts) {
		this.#ports = ports;
	}

	/**
	 * Replaces the newest transaction of a write by the same one with higher fees, if blocks ask for more than it offers.
	 *
	 * @returns the new one; undefined if there is no need, or the limits or the balance do not allow it
	 * @throws ChainUnavailable
	 */
	async raise(stuck: UnminedWrite): Promise<AttemptRow | undefined> {
		const { db, endpoints, network, gasCaps } = this.#ports;
		const { newest, first } = this.#endsOf(stuck);
		const signed = Transaction.from(newest.raw);
		const { to, data, value, gasLimit } = signed;
		const old = feesOf(signed);
		const market = await readMarket(endpoints, network);
		if (!isBelow(old, market)) return undefined;
		const [most, allowed] = [MAX_TIMES * worstPrice(first), highestPrice(gasCaps, gasLimit)];
		const fees = raise(old, market, most < allowed ? most : allowed);
		if (!fees) return undefined;
		const more = gasLimit * (worstPrice(fees) - worstPrice(old));
		const open = costOf(await openWrites(db, stuck.write.wallet_id));
		if ((await this.#balanceOf(stuck)) < open + more) return undefined;
		const call = { to: to ?? '', data, value, gasLimit };
		const cost = BigInt(stuck.write.cost) + more;
		return await this.#commit(stuck, newest.kind, { ...call, fees }, { states: UNMINED, cost });
	}

	/**
	 * Gives a write up: an empty transaction is to take its nonce.
	 *
	 * @param states the states in which it is given up
	 * @returns the empty transaction; undefined if the write is in another state, or the wallet is closed
	 * @throws ChainUnavailable
	 */
	async giveUp(
		unwanted: UnminedWrite,
		states: readonly WriteState[],
	): Promise<AttemptRow | undefined> {
		const { endpoints, network } = this.#ports;
		const { newest } = this.#endsOf(unwanted);
		if (newest.kind === 'noop') return newest;
		const { address: from } = await this.#walletOf(unwanted);
		const empty = { from, to: ZeroAddress, value: '0x0' };
		const [estimate, market] = [
			await endpoints.ask(quantity, 'eth_estimateGas', [empty, 'latest']),
			await readMarket(endpoints, network),
		];
		const fees = raise(feesOf(Transaction.from(newest.raw)), market, MaxUint256);
		if (!fees) throw new Error('The fees cannot be raised');
		const gasLimit = estimate + (estimate * GAS_MARGIN) / 100n;
		const call = { to: ZeroAddress, data: '0x', value: 0n, gasLimit };
		// Either of them may be executed, so the higher cost remains reserved.
		const cost = BigInt(unwanted.write.cost);
		return await this.#commit(unwanted, 'noop', { ...call, fees }, { states, cost });
	}

	/** The newest transaction, and the fees of the first one of its kind. */
	#endsOf({ write, attempts }: UnminedWrite): { newest: AttemptRow; first: Fees } {
		const [newest] = attempts;
		const first = attempts.findLast(({ kind }) => kind === newest?.kind);
		if (!newest || !first) throw new Error(`Write ${write.id} has no transaction`);
		return { newest, first: feesOf(Transaction.from(first.raw)) };
	}

	async #walletOf({ write }: UnminedWrite) {
		const wallet = await walletById(this.#ports.db, write.wallet_id);
		if (!wallet) throw new Error(`Write ${write.id} has no wallet`);
		return wallet;
	}

	async #balanceOf(of: UnminedWrite): Promise<bigint> {
		const { address } = await this.#walletOf(of);
		return await this.#ports.endpoints.agreed(quantity, 'eth_getBalance', [address, 'latest']);
	}

	async #commit(
		of: UnminedWrite,
		kind: AttemptRow['kind'],
		call: Omit<Unsigned, 'chainId' | 'nonce'>,
		{ states, cost }: { states: readonly WriteState[]; cost: bigint },
	): Promise<AttemptRow | undefined> {
		const { db, signer, endpoints, spending, observe } = this.#ports;
		const { id, nonce, wallet_id: walletId } = of.write;
		const { chainId } = endpoints.identity;
		const wallet = await this.#walletOf(of);
		const { hash, serialized: raw } = await signChecked(signer, wallet, {
			...call,
			chainId,
			nonce,
		});
		if (hash === null) throw new Error('The transaction is not signed');
		const no = (of.attempts[0]?.no ?? 0) + 1;
		const now = new Date().toISOString();
		const attempt = { hash, raw, write_id: id, no, kind, created_at: now, sent_at: now };
		const reserve = (transaction: Queries) =>
			spending.raise(transaction, { writeId: id, walletId, cost });
		const isCommitted = await commitAttempt(db, attempt, { states, cost: String(cost) }, reserve);
		if (!isCommitted) return undefined;
		observe?.({ kind: 'replaced', by: kind });
		return attempt;
	}
}
