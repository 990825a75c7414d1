import { Transaction, toQuantity, ZeroAddress } from 'ethers';
import { revertReader } from '../abi/revert.mts';
import type { Signer } from '../keys/signer.mts';
import type { Spending } from '../limits/spending.mts';
import { readDataFee } from '../rpc/data-fee.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { decideFees, GasTooExpensive, isBelow, worstPrice } from '../rpc/fees.mts';
import type { GasCaps, Market } from '../rpc/fees.mts';
import { readMarket } from '../rpc/market.mts';
import type { Network } from '../rpc/networks.mts';
import { quantity } from '../rpc/values.mts';
import { commitAttempt, type UnminedWrite } from '../store/open-writes.mts';
import { noteWaiting } from '../store/sendings.mts';
import type { AttemptRow, Database, Queries, WriteRow, WriteState } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import { costOf, openWrites, UNMINED } from '../store/writes.mts';
import type { Call } from './call.mts';
import { estimateGas, gasLimitFor } from './estimate.mts';
import type { Observer } from './events.mts';
import { feesOf, signChecked, type Unsigned } from './sign.mts';

export interface ReplacementPorts {
	db: Database;
	endpoints: Endpoints;
	network: Network;
	gasCaps: GasCaps;
	signer: Signer;
	spending: Spending;
	observe?: Observer;
}

/** A call with its gas. */
type Payload = Call & { gasLimit: bigint };

function newestOf({ write, attempts: [newest] }: UnminedWrite): AttemptRow {
	if (!newest) throw new Error(`Write ${write.id} has no transaction`);
	return newest;
}

/** Why an open write is not given up yet, although it is time; undefined if that is not so. */
export function waitingNote({
	state,
	waiting_reason: reason,
}: Pick<WriteRow, 'state' | 'waiting_reason'>): string | undefined {
	if (reason === null || !UNMINED.includes(state)) return undefined;
	return `It is to be given up, which waits: ${reason}`;
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
		const { endpoints, network } = this.#ports;
		const newest = newestOf(stuck);
		const signed = Transaction.from(newest.raw);
		const market = await readMarket(endpoints, network);
		if (!isBelow(feesOf(signed), market)) return undefined;
		const { to, data, value, gasLimit } = signed;
		const payload = { to: to ?? '', data, value, gasLimit };
		try {
			return await this.#replace(stuck, newest.kind, payload, market, UNMINED);
		} catch (error) {
			if (error instanceof GasTooExpensive) return undefined;
			throw error;
		}
	}

	/**
	 * Gives a write up: an empty transaction is to take its nonce.
	 *
	 * @param states the states in which it is given up
	 * @returns the empty transaction; undefined if the write is in another state, or the wallet is closed
	 * @throws GasTooExpensive if the limits or the balance do not allow it
	 * @throws ChainUnavailable
	 */
	async cancel(
		unwanted: UnminedWrite,
		states: readonly WriteState[],
	): Promise<AttemptRow | undefined> {
		const { endpoints, network } = this.#ports;
		const newest = newestOf(unwanted);
		if (newest.kind === 'noop') return newest;
		const { address: from } = await this.#walletOf(unwanted);
		const empty = { to: ZeroAddress, data: '0x', value: 0n };
		const tried = { ...empty, from, value: toQuantity(empty.value) };
		const [estimate, market] = await Promise.all([
			estimateGas(endpoints, revertReader([]), tried),
			readMarket(endpoints, network),
		]);
		const { blockGas, isBlockGasCertain } = market;
		const gasLimit = gasLimitFor(estimate, { blockGas, isBlockGasCertain, gasCap: undefined });
		return await this.#replace(unwanted, 'noop', { ...empty, gasLimit }, market, states);
	}

	/** Gives a write up as `cancel` does. Where the limits or the balance do not allow it, the write waits, and why is recorded. */
	async giveUp(
		unwanted: UnminedWrite,
		states: readonly WriteState[],
	): Promise<AttemptRow | undefined> {
		const { db, observe } = this.#ports;
		const { id } = unwanted.write;
		try {
			return await this.cancel(unwanted, states);
		} catch (error) {
			if (!(error instanceof GasTooExpensive)) throw error;
			const reason = error.message;
			if (await noteWaiting(db, id, reason)) observe?.({ kind: 'waiting', id, reason });
			return undefined;
		}
	}

	/** @throws GasTooExpensive if the limits or the balance do not allow what it costs */
	async #replace(
		write: UnminedWrite,
		kind: AttemptRow['kind'],
		payload: Payload,
		market: Market,
		states: readonly WriteState[],
	): Promise<AttemptRow | undefined> {
		const { db, endpoints, network, gasCaps } = this.#ports;
		const { data, value, gasLimit } = payload;
		const dataFee = await readDataFee(endpoints, network, data, gasLimit);
		const replaced = feesOf(Transaction.from(newestOf(write).raw));
		const fees = decideFees(market, gasCaps, { gasLimit, dataFee }, replaced);
		const reserved = BigInt(write.write.cost);
		const worst = value + gasLimit * worstPrice(fees) + dataFee;
		// Any of its transactions may be executed, so the highest cost is reserved.
		const cost = worst > reserved ? worst : reserved;
		const open = costOf(await openWrites(db, write.write.wallet_id));
		const lack = open + cost - reserved - (await this.#balanceOf(write));
		if (cost > reserved && lack > 0n) {
			throw new GasTooExpensive(`The wallet lacks ${lack} wei for gas`);
		}
		return await this.#commit(write, kind, { ...payload, fees }, { states, cost });
	}

	async #walletOf({ write }: UnminedWrite) {
		const wallet = await walletById(this.#ports.db, write.wallet_id);
		if (!wallet) throw new Error(`Write ${write.id} has no wallet`);
		return wallet;
	}

	/** By the endpoint that reports least. */
	async #balanceOf(of: UnminedWrite): Promise<bigint> {
		const { address } = await this.#walletOf(of);
		const { endpoints } = this.#ports;
		const all = await endpoints.outcomes(quantity, 'eth_getBalance', [address, 'latest']);
		const balances = all.flatMap((one) => (one.refusal ? [] : one.answer));
		return balances.reduce((least, balance) => (balance < least ? balance : least));
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
		const { hash, raw } = await signChecked(signer, wallet, { ...call, chainId, nonce });
		const no = (of.attempts[0]?.no ?? 0) + 1;
		const now = new Date().toISOString();
		const attempt = { hash, raw, write_id: id, no, kind, created_at: now, sent_at: now };
		let isWithin = true;
		const reserve = async (transaction: Queries) => {
			isWithin = await spending.raise(transaction, { writeId: id, walletId, cost });
			return isWithin;
		};
		const isCommitted = await commitAttempt(db, attempt, { states, cost: String(cost) }, reserve);
		if (!isWithin) {
			throw new GasTooExpensive('The limits of the access token do not allow its cost');
		}
		if (!isCommitted) return undefined;
		observe?.({ kind: 'replaced', by: kind });
		return attempt;
	}
}
